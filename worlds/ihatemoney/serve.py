"""Serve I Hate Money on loopback: a settings file and a port in."""

import os
import sys

os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = sys.argv[1]

from ihatemoney.run import create_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[2]), create_app(), threaded=True)
