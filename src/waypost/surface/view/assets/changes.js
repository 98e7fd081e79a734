// Two builds side by side, and a running exploration followed as it grows.

const builds = {
  async open() {
    try {
      const found = await source.changes();
      panel.show("Changes", this.written(found), () => this.open());
    } catch (error) { panel.wrong(error); }
  },

  written(found) {
    const named = side => `${side.map}${side.version ? ` ${side.version}` : ""}`;
    const one = (row, said) => h("figure", {}, shot(row && row.picture, "screen", row ? row.name : "nothing"),
      h("figcaption", {}, row ? row.name : "—", said ? h("span", { className: "soft" }, ` ${said}`) : ""));
    const pair = (old, fresh, words) => [h("div", { className: "pair" }, one(old), one(fresh)), words && h("p", { className: "soft" }, words)];
    const list = (title, rows, write) => rows.length > 0 && section(`${title} (${rows.length})`, rows.flatMap(write));
    return [
      h("p", { className: "soft" }, `left: ${named(found.old)} · right: ${named(found.new)} · ${found.stayed} pages stayed`),
      ...found.unsure.map(why => h("p", { className: "warn" }, `${why}: what is new or gone may merely not have been seen`)),
      !found.differs && h("p", {}, "No difference."),
      list("New", found.added, p => pair(null, p)),
      list("Gone", found.gone, p => pair(p, null)),
      list("Moved", found.moved, m => pair(m.old, m.new, `${m.was.join(" › ")} → ${m.now.join(" › ")}`)),
      list("Renamed", found.renamed, r => pair(r.old, r.new, `“${r.was}” → “${r.now}”`)),
      list("Changed", found.changed, c => pair(c.old, c.new, [...c.added.map(x => `+ ${x}`), ...c.removed.map(x => `− ${x}`)].join(", "))),
      list("Broken ways", found.broken, b => [h("p", {}, `${b.source.name} → ${b.target.name}: ${b.why}`)]),
    ].flat().filter(x => x);
  },
};

const live = {
  on: false, steps: -1, feed: [],

  toggle() {
    this.on = !this.on;
    byId("show-live").setAttribute("aria-pressed", String(this.on));
    if (!this.on) { graph.here = null; byId("status").textContent = ""; picture.moved(); return; }
    this.steps = cards.start.overview.steps;
    this.feed = [];
    this.show();
    this.ask();
  },

  async ask() {
    if (!this.on) return;
    try {
      const told = await source.live(this.steps);
      if (told.changed) {
        graph.take(told.overview);
        this.feed = [...told.taken.reverse(), ...this.feed].slice(0, 60);
        graph.here = told.taken.length ? told.taken[0].id : graph.here;
        if (graph.here) graph.reveal(graph.here);
        picture.moved();
      }
      this.steps = told.steps;
      this.stop = told.stop_reason;
      this.show();
      byId("status").textContent = `live: ${told.steps} steps, ${graph.nodes.size} pages · ${told.stop_reason.replaceAll("_", " ")}`;
    } catch (error) {
      byId("status").textContent = error.message;
    }
    setTimeout(() => this.ask(), document.hidden ? 5000 : 1000);
  },

  show() {
    const told = this.feed.length ? h("ol", { className: "plain" }, this.feed.map(s => h("li", {},
      h("button", { type: "button", className: "hit", onclick: () => graph.choose(s.id) },
        shot(graph.nodes.get(s.id)?.picture, "thumb", s.to), h("span", {}, h("b", {}, s.to), h("span", { className: "soft" }, `from ${s.from}`),
          h("span", { className: "soft" }, s.does))))))
      : h("p", { className: "soft" }, "Waiting for the next step. Start one elsewhere: waypost explore DEVICE --map THIS_MAP");
    if (panel.trail.at(-1) !== this.again) panel.show("Live", [h("div", { id: "feed" }, told)], this.again);
    else byId("feed").replaceChildren(told);
  },

  again: () => live.show(),
};
