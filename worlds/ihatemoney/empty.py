"""Make a project with nobody in it, and print the path that opens it: settings file in, invitation out."""

import os
import sys

os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = sys.argv[1]

from ihatemoney.models import Project, db
from ihatemoney.run import create_app
from werkzeug.security import generate_password_hash

with create_app().app_context():
    project = db.session.get(Project, "trip")
    if project is None:
        project = Project(
            id="trip",
            name="Trip",
            password=generate_password_hash("loopback only"),
            contact_email="nobody@example.org",
            default_currency="XXX",
        )
        db.session.add(project)
        db.session.commit()
    print(f"/trip/join/{project.generate_token()}")
