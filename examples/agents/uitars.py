"""UI-TARS' own prompt for phones with the way behind the instruction: a wish and dumps in, prompts out.

The model's words for its actions and its coordinates stay as they are: Waypost says which page and which
label come next, never where they stand.
"""

import waypost

_PROMPT = """\
You are a GUI agent. You are given a task and your action history, with screenshots. You need to perform \
the next action to complete the task.

## Output Format
Thought: ...
Action: ...

## Action Space
click(start_box='<|box_start|>(x1,y1)<|box_end|>')
long_press(start_box='<|box_start|>(x1,y1)<|box_end|>')
type(content='')
scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', direction='down or up or right or left')
press_back()
finished(content='')

## User Instruction
{instruction}
{way}
"""


def prompts(wish: str, map: str, dumps: list[str]) -> list[str]:
    """Return the prompt of each step, for the dumps that the agent took beside its screenshots."""
    with waypost.guide(map, wish) as guide:  # Waypost: open the map with the wish
        told = [guide(dump) for dump in dumps]  # Waypost: the next hop from each screen
        return [_PROMPT.format(instruction=wish, way=f"{guide.block}\n{t}") for t in told]  # Waypost
