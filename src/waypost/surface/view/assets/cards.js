// A page's card, the answers to a question, and the map's figures, each as the panel shows it.

const cards = {
  async open(id, replace = false) {
    try {
      const card = await source.card(id);
      if (graph.chosen !== id) graph.choose(id, { quiet: true });
      panel.show(card.name, this.written(card), () => graph.choose(id), replace);
    } catch (error) { panel.wrong(error); }
  },

  written(card) {
    const r = card.record;
    const hazards = [...(r ? r.hazards : []).map(label => h("li", {}, label)),
      ...card.left_alone.map(s => h("li", {}, s.does, " ", h("span", { className: "soft" }, s.reason)))];
    return [
      h("p", { className: "soft" }, [card.id, card.kind, card.place, counted(card.visits, "visit"),
        card.depth < 0 ? "no way known" : counted(card.depth, "step") + " from the start", card.pinned && "pinned"].filter(x => x).join(" · ")),
      h("div", { className: "row" },
        r && h("button", { type: "button", className: "main", onclick: () => ways.open(card.id) }, "Way from the start"),
        graph.root !== card.id && r && !source.offline
          && h("button", { type: "button", onclick: () => ways.ask(card.id) }, "Way from …")),
      section("Looks", h("div", { className: "looks", tabIndex: 0, role: "group", ariaLabel: "Looks" }, card.looks.map((look, i) => h("figure", {},
        shot(look.picture, "screen", card.name), h("figcaption", {}, `look ${i + 1} · seen ${look.visits}×`))))),
      !r && card.kind === "page" && h("p", { className: "soft" }, "No record was written of this page yet: the next search writes them."),
      r && section("Summary", h("p", {}, r.summary, r.provenance.summary === "user" ? h("span", { className: "soft" }, " (edited)") : "")),
      r && r.intents.length > 0 && section("What can be done here", h("ul", {}, r.intents.map(i => h("li", {}, i)))),
      r && r.waypoints.length > 0 && section("Waypoints", h("p", {}, r.waypoints.join(" › "))),
      r && r.hints.length > 0 && section("Hints", h("ul", {}, r.hints.map(i => h("li", {}, i)))),
      hazards.length > 0 && section("Hazards and what was left alone", h("ul", { className: "bad" }, hazards)),
      section("Recognised by", h("p", {}, card.evidence.shares.join(", ") || card.evidence.title || "its structure"),
        card.evidence.reasons.length > 0 && h("ul", { className: "soft" }, card.evidence.reasons.map(e =>
          h("li", {}, `${e.weight > 0 ? "+" : ""}${e.weight.toFixed(1)} ${e.name}${e.detail ? `: ${e.detail}` : ""}`)))),
      card.leads_to.length > 0 && section("Leads to", this.steps(card.leads_to, "to")),
      card.reached_from.length > 0 && section("Reached from", this.steps(card.reached_from, "from")),
      card.untried.length > 0 && section("Not tried yet", h("ul", {}, card.untried.slice(0, 40).map(k => h("li", {}, k)))),
      !source.offline && card.kind === "page" && forms.corrections(card),
    ].flat().filter(x => x);
  },

  steps(rows, end) {
    return h("table", {}, h("thead", {}, h("tr", {}, ["page", "does", "landed"].map(t => h("th", { scope: "col", className: "soft" }, t)))),
      h("tbody", {}, rows.map(s => h("tr", {},
        h("td", {}, h("button", { type: "button", onclick: () => graph.choose(s[end]) }, s[`${end}_name`])),
        h("td", {}, s.does, s.hazard && h("span", { className: "bad" }, ` hazard: ${s.hazard}`),
          s.standing !== "live" && h("span", { className: "warn" }, ` ${s.standing}`)),
        h("td", {}, bar(s.reliability), h("br"), h("span", { className: "soft" }, `${s.successes} of ${s.tries}`))))));
  },

  answers(found) {
    const best = found.candidates[0];
    const told = found.found
      ? h("p", {}, h("b", {}, graph.nodes.get(found.found)?.name || found.found),
        found.confidence === null ? "" : ` · ${percent(found.confidence)} sure`)
      : h("p", { className: "warn" }, "Not on this map", found.confidence === null ? "" : ` (${percent(found.confidence)} sure)`);
    return [
      told, h("p", { className: "soft" }, found.reason),
      source.offline && h("p", { className: "soft" }, "This file searches by words only; waypost view asks the real memory."),
      h("ol", { className: "plain" }, found.candidates.map(c => h("li", {}, h("button", {
        type: "button", className: `hit${c === best && found.found ? " best" : ""}`, onclick: () => graph.choose(c.id),
      }, shot(graph.nodes.get(c.id)?.picture, "thumb", c.name), h("span", {}, h("b", {}, c.name),
        h("span", { className: "soft" }, c.summary),
        h("span", { className: "soft" }, `score ${c.score}${c.why.length ? ` · ${c.why.join(", ")}` : ""}`),
        Object.keys(c.evidence).length > 0 && h("span", { className: "soft" },
          Object.entries(c.evidence).map(([name, value]) => `${name} ${value}`).join(" · "))))))),
    ].filter(x => x);
  },

  async search(words) {
    if (!words.trim()) return;
    byId("status").textContent = "searching …";
    try {
      const found = await source.search(words);
      panel.show(`“${words}”`, this.answers(found), () => this.search(words));
      if (found.found) graph.choose(found.found, { quiet: true });
    } catch (error) { panel.wrong(error); }
    byId("status").textContent = "";
  },

  coverage() {
    const { figures: f, corrections, trust } = this.start;
    const open = [...graph.nodes.values()].filter(n => n.untried).sort((a, b) => b.untried - a.untried);
    const box = (value, words) => h("div", {}, h("b", {}, String(value)), words);
    panel.show("Coverage", [
      h("p", { className: "soft" }, [f.app, f.version && `version ${f.version}`, f.profile].filter(x => x).join(" · ")),
      trust && h("p", { className: "warn" }, trust),
      h("div", { className: "figures" }, box(f.pages, "pages"), box(f.transitions, "ways seen"),
        box(percent(f.coverage), "of known elements tried"), box(f.untried, "not tried"),
        box(f.deepest, "steps to the deepest"), box(f.side_states, "side states")),
      h("p", { className: "soft" }, `${f.steps} steps; exploration: ${f.stop_reason.replaceAll("_", " ")}`),
      section("Frontier: pages with most left to try", open.length ? h("table", {}, h("tbody", {}, open.slice(0, 60).map(n => h("tr", {},
        h("td", {}, h("button", { type: "button", onclick: () => graph.choose(n.id) }, n.name)), h("td", {}, `${n.untried} not tried`)))))
        : h("p", {}, "Nothing untried is left.")),
      Object.keys(f.left_alone).length > 0 && section("Left alone", h("ul", {}, Object.entries(f.left_alone).map(([why, n]) => h("li", {}, `${n} × ${why}`)))),
      section("All pages", h("details", {}, h("summary", {}, `${graph.nodes.size} pages and side states`), h("ul", { className: "plain" },
        [...graph.nodes.values()].map(n => h("li", {}, h("button", { type: "button", className: "link", onclick: () => graph.choose(n.id) }, n.name)))))),
      !source.offline && forms.made(corrections),
    ].flat().filter(x => x), () => this.coverage());
  },

  take(start) {
    this.start = start;
    graph.take(start.overview);
    byId("title").textContent = `${start.map} · ${counted(start.figures.pages, "page")}`;
    document.title = `${start.map} · Waypost`;
    byId("show-changes").hidden = !start.against;
    picture.moved();
  },
};
