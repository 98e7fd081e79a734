// A route: drawn on the picture, and stepped through screen by screen.

const ways = {
  route: null, at: 0, stepped: false,

  async open(to, from, replace = false) {
    try {
      this.route = await source.route(to, from);
    } catch (error) { panel.wrong(error); return; }
    if (!this.route) return;
    const ids = this.route.steps.map(s => s.from);
    graph.route = ids;
    this.at = 0;
    this.show(replace);
  },

  ask(to) {
    const names = h("datalist", { id: "from-names" }, [...graph.nodes.values()].filter(n => !n.kind)
      .map(n => h("option", { value: n.id }, n.name)));
    panel.show("Way from …", [h("form", { onsubmit: event => {
      event.preventDefault();
      this.open(to, new FormData(event.target).get("from"), true);
    } }, forms.field("from", "Id or name of the page where you are", { required: true, list: "from-names" }), names,
      h("div", { className: "row" }, h("button", { type: "submit", className: "main" }, "Plan")))], () => this.ask(to));
  },

  show(replace = false) {
    const { steps, status, cost, to, from, block } = this.route, step = steps[this.at], last = this.at === steps.length - 1;
    const again = () => this.open(to, from);
    const goal = graph.nodes.get(to)?.name || to;
    if (!["optimal", "satisficing", "already_there"].includes(status)) {
      graph.route = [];
      panel.show(`Way to ${goal}`, [h("p", { className: "warn" }, "The map has no way there.")], again, replace);
      return;
    }
    const stage = h("div", { className: "stage" }, shot(step.picture, "screen", step.from_name));
    if (step.box) {
      const [l, t, r, b] = step.box;
      stage.append(h("mark", { style: { left: percent2(l), top: percent2(t), width: percent2(r - l), height: percent2(b - t) } }));
    }
    panel.show(`Way to ${goal}`, [
      h("p", { className: "soft" }, `${counted(steps.length - 1, "step")} · ${cost} to expect · ${status.replaceAll("_", " ")}`),
      h("div", { className: "row step" },
        h("button", { type: "button", id: "previous", disabled: this.at === 0, onclick: () => this.go(-1) }, "‹ Previous"),
        h("span", { role: "status" }, `${this.at + 1} of ${steps.length}`),
        h("button", { type: "button", id: "next", className: "main", disabled: last, onclick: () => this.go(1) }, "Next ›")),
      h("p", {}, h("b", {}, step.from_name), h("br"), last ? h("span", { className: "good" }, "The destination: stop here.") : step.does),
      step.hazard && h("p", { className: "bad" }, `hazard: ${step.hazard}`),
      stage,
      !last && h("p", { className: "soft" }, `leads to ${step.to_name}; landed ${step.successes} of ${step.tries} times`),
      block && h("details", {}, h("summary", {}, "Block for an agent's prompt"), h("pre", { style: { whiteSpace: "pre-wrap", fontSize: "12px" } }, block)),
    ].filter(x => x), again, replace || this.at > 0 || this.stepped);
    this.stepped = false;
    // What to tap is seen, however small the window; the buttons stay where they are.
    const mark = stage.querySelector("mark"), image = stage.querySelector("img");
    if (mark && image) image.addEventListener("load", () => mark.scrollIntoView({ block: "nearest" }), { once: true });
    graph.choose(step.from, { quiet: true });
  },

  go(by) {
    const to = this.at + by;
    if (!this.route || to < 0 || to >= this.route.steps.length) return;
    const focused = document.activeElement?.id;
    this.at = to;
    this.stepped = true;
    this.show();
    const button = byId(focused === "previous" || focused === "next" ? focused : "");
    if (button && !button.disabled) button.focus();
  },

  leave() {
    graph.route = [];
    this.route = null;
  },
};

const percent2 = share => `${(share * 100).toFixed(2)}%`;
