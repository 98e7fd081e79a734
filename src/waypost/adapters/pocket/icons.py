"""Names of the glyphs that apps may use; how they are drawn is in `glyphs`."""

__all__ = ["ICONS"]

_NAMES = """
add alarm archive arrow back bag bell bin book calendar call camera card cart chart chat check clock
close cloud download edit eye file filter flag folder gear globe heart help home image info key link
list location lock mail menu mic minus moon more music note pause pencil person phone pin play plus
refresh search send share shield star stop sun timer trash truck user video volume wallet wifi world
"""
ICONS = frozenset(_NAMES.split())
