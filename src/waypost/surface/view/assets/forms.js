// What a person may correct on a page; each is one call, so that it can be taken back by one.

const forms = {
  async send(what, said, after) {
    try {
      const done = await source.correct({ what, ...said });
      picture.forget();
      cards.take(done.start);
      const still = done.pages.length ? done.pages[0].id : null;
      if (still && graph.nodes.has(still)) {
        graph.choose(still, { quiet: true });
        await cards.open(still, true);
      } else { cards.coverage(); }
      byId("status").textContent = done.said;
    } catch (error) { panel.wrong(error); }
    if (after) after();
  },

  field(name, label, attributes) {
    const id = `f-${name}`;
    return [h("label", { htmlFor: id }, label), h(attributes && attributes.rows ? "textarea" : "input", { id, name, ...attributes })];
  },

  form(title, deed, fields, what, said) {
    return h("details", {}, h("summary", {}, title), h("form", {
      onsubmit: event => {
        event.preventDefault();
        this.send(what, said(new FormData(event.target)));
      },
    }, fields, h("div", { className: "row" }, h("button", { type: "submit", className: "main" }, deed))));
  },

  corrections(card) {
    const page = card.id, r = card.record;
    const names = h("datalist", { id: "page-names" }, [...graph.nodes.values()]
      .filter(n => n.id !== page && !n.kind).map(n => h("option", { value: n.id }, n.name)));
    const looks = card.looks.map((_, i) => h("label", { className: "tick" },
      h("input", { type: "checkbox", name: "looks", value: String(i + 1) }), `look ${i + 1}`));
    return section("Correct this page",
      this.form("Rename", "Rename", this.field("name", "Name", { value: card.name, required: true }), "rename",
        form => ({ page, name: form.get("name") })),
      this.form("Merge with another page", "Merge", [...this.field("other", "Id or name of the page that is the same", { required: true, list: "page-names" }), names],
        "merge", form => ({ page, other: form.get("other") })),
      card.looks.length > 1 && this.form("Split looks off", "Split", [h("p", { className: "soft" }, "These looks are a page of their own:"), looks],
        "split", form => ({ page, looks: form.getAll("looks").join(",") || " " })),
      this.form("Ignore a region", "Ignore", this.field("region", "#id, role#id, role\"label\", or left,top,right,bottom in px or %", { required: true, placeholder: "0%,90%,100%,100%" }),
        "ignore", form => ({ page, region: form.get("region") })),
      !card.pinned && this.form("Pin", "Pin", [h("p", { className: "soft" }, "This page is one as it stands: nothing is joined to it.")], "pin", () => ({ page })),
      r && this.form("Edit the record", "Save", [
        ...this.field("summary", "Summary", { rows: 3, value: r.summary, required: true }),
        ...this.field("intents", "What can be done here, one a line", { rows: 5, value: r.intents.join("\n") })], "edit",
        form => ({ page, summary: form.get("summary"), intents: form.get("intents").split("\n") })));
  },

  made(corrections) {
    return section("Corrections", corrections.length
      ? [h("ul", {}, corrections.map(c => h("li", {}, c))),
        h("button", { type: "button", id: "undo", onclick: () => this.send("undo", {}) }, "Take the last one back")]
      : h("p", { className: "soft" }, "None yet. They are kept in pages.yaml, and survive another exploration."));
  },
};
