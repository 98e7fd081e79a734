"""Write the flat and a season of its bills: a settings file in, a filled database out."""

import os
import sys
from datetime import date, timedelta

os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = sys.argv[1]

from ihatemoney.models import Bill, Person, Project, db
from ihatemoney.run import create_app

BOUGHT = (
    "Bread",
    "Rent",
    "Electricity",
    "Train tickets",
    "Paint",
    "Pizza",
    "Internet",
    "Detergent",
    "Museum",
)

with create_app().app_context():
    project = Project.create_demo_project()
    people = Person.query.filter_by(project_id=project.id).order_by(Person.id).all()
    for i in range(27):
        db.session.add(
            Bill(
                amount=7 + 13 * i % 90,
                date=date(2026, 6, 1) + timedelta(days=5 * i),
                bill_type="Expense",
                original_currency=project.default_currency,
                owers=people[: 2 + i % 2],
                payer_id=people[i % 3].id,
                project_default_currency=project.default_currency,
                what=BOUGHT[i % len(BOUGHT)],
            )
        )
    db.session.commit()
