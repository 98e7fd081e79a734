// Draws the graph: ways and far-away pages on a canvas, near pages as buttons; only what is in sight.

const MANY = 2500;
const NEAR = 0.16;
const MOST = 350;

const picture = {
  shown: new Map(), waiting: false, moving: false, rest: 0,

  extent() {
    const box = byId("map").getBoundingClientRect();
    return [box.width, box.height];
  },

  // One drawing a frame, however often one moves; the rest is drawn once it has come to rest.
  moved() {
    this.moving = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => { this.moving = false; this.draw(); }, 90);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  },

  colors() {
    const style = getComputedStyle(document.documentElement);
    const of = name => style.getPropertyValue(`--${name}`).trim();
    return { way: of("way"), mark: of("mark"), bad: of("bad"), soft: of("soft"),
      warn: of("warn"), good: of("good") };
  },

  draw() {
    const canvas = byId("lines"), [w, h] = this.extent(), dots = Math.min(2, window.devicePixelRatio || 1);
    if (canvas.width !== Math.round(w * dots) || canvas.height !== Math.round(h * dots)) {
      canvas.width = Math.round(w * dots);
      canvas.height = Math.round(h * dots);
    }
    const pen = canvas.getContext("2d"), { x, y, k } = graph.view, color = this.colors();
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, w, h);
    pen.setTransform(dots * k, 0, 0, dots * k, dots * x, dots * y);
    const sight = { left: -x / k, top: -y / k, right: (w - x) / k, bottom: (h - y) / k };
    const near = [], far = [];
    for (const node of graph.nodes.values()) {
      const [nx, ny] = node.at;
      if (nx + SHOT[0] < sight.left || nx > sight.right || ny + graph.cell[1] < sight.top || ny > sight.bottom) continue;
      (k >= NEAR && near.length < MOST ? near : far).push(node);
    }
    this.drawWays(pen, sight, color, k);
    for (const node of far) this.drawFar(pen, node, color);
    this.drawBands();
    this.place(near);
    byId("nodes").style.transform = `translate(${x}px, ${y}px) scale(${k})`;
  },

  drawWays(pen, sight, color, k) {
    const chosen = graph.chosen, many = graph.ways.length > MANY;
    pen.lineWidth = Math.max(1 / k, 1.5);
    pen.strokeStyle = color.way;
    if (!(many && (this.moving || k < NEAR))) {
      pen.globalAlpha = chosen || graph.route.length ? 0.18 : many ? 0.35 : 0.7;
      pen.beginPath();
      for (const way of graph.ways) if (!way.system) this.trace(pen, way, sight);
      pen.stroke();
    }
    pen.globalAlpha = 1;
    if (chosen) {
      pen.lineWidth = Math.max(2 / k, 3);
      for (const way of [...(graph.out.get(chosen) || []), ...(graph.into.get(chosen) || [])]) {
        if (way.system) continue;
        pen.strokeStyle = way.hazard ? color.bad : way.from === chosen ? color.mark : color.soft;
        pen.beginPath();
        this.trace(pen, way, sight);
        pen.stroke();
      }
    }
    pen.strokeStyle = color.mark;
    pen.lineWidth = Math.max(3 / k, 6);
    for (let i = 0; i + 1 < graph.route.length; i++) {
      pen.beginPath();
      this.trace(pen, { from: graph.route[i], to: graph.route[i + 1] }, null);
      pen.stroke();
    }
  },

  trace(pen, way, sight) {
    const a = graph.nodes.get(way.from), b = graph.nodes.get(way.to);
    if (!a || !b) return;
    const forward = b.at[0] > a.at[0], same = b.at[0] === a.at[0];
    const ax = a.at[0] + (forward || same ? SHOT[0] : 0), ay = a.at[1] + 70;
    const bx = b.at[0] + (forward ? 0 : SHOT[0]), by = b.at[1] + 70;
    if (sight && (Math.max(ax, bx) < sight.left || Math.min(ax, bx) > sight.right
      || Math.max(ay, by) < sight.top || Math.min(ay, by) > sight.bottom)) return;
    const bend = same ? 60 : Math.max(40, Math.abs(bx - ax) / 2) * (forward ? 1 : -1);
    pen.moveTo(ax, ay);
    pen.bezierCurveTo(ax + bend, ay, bx + (same ? 60 : -bend), by, bx, by);
  },

  drawFar(pen, node, color) {
    const [x, y] = node.at;
    pen.fillStyle = node.id === graph.chosen ? color.mark : node.id === graph.here ? color.good : node.untried ? color.warn : color.soft;
    pen.globalAlpha = graph.route.includes(node.id) || node.id === graph.chosen ? 1 : 0.75;
    pen.fillRect(x, y, SHOT[0], SHOT[1]);
    pen.globalAlpha = 1;
  },

  // Headings stay in sight when one moves down.
  drawBands() {
    const { x, y, k } = graph.view, layer = byId("bands");
    if (layer.children.length !== graph.bands.length) layer.replaceChildren(...graph.bands.map(() => h("span")));
    graph.bands.forEach(([title, left, width, count], i) => {
      const span = layer.children[i], room = (width + 120) * k;
      span.textContent = room > 90 ? `${title} · ${count}` : title === "start" ? title : title.split(" ")[0];
      span.hidden = room < 14;
      span.style.maxWidth = `${Math.max(0, room - 4)}px`;
      span.style.transform = `translate(${left * k + x}px, ${Math.max(6, y - 28)}px)`;
    });
  },

  // Buttons of pages in sight are kept, others dropped: the page never holds more than a screenful.
  place(near) {
    const wanted = new Set(near.map(n => n.id)), layer = byId("nodes");
    for (const [id, button] of this.shown) {
      if (!wanted.has(id)) { button.remove(); this.shown.delete(id); }
    }
    for (const node of near) {
      let button = this.shown.get(node.id);
      if (!button || button.dataset.look !== look(node)) {
        const fresh = tile(node);
        if (button) button.replaceWith(fresh); else layer.append(fresh);
        button = fresh;
        this.shown.set(node.id, button);
      }
      button.classList.toggle("chosen", node.id === graph.chosen);
      button.classList.toggle("here", node.id === graph.here);
      button.classList.toggle("way", graph.route.includes(node.id));
    }
  },

  forget() {
    for (const button of this.shown.values()) button.remove();
    this.shown.clear();
  },
};

const look = node => `${node.name}|${node.picture}|${node.untried}|${node.at}`;

function tile(node) {
  const src = node.picture && source.picture(node.picture, "thumb");
  const image = src ? h("img", { className: "shot", src, alt: "", decoding: "async", draggable: false })
    : h("span", { className: "shot blank" }, node.kind || "no picture");
  const badge = node.untried ? h("i", { title: `${node.untried} not tried` }, String(node.untried)) : null;
  const button = h("button", {
    type: "button", className: `node${node.kind ? " side" : ""}`, tabIndex: -1,
    ariaLabel: `${node.name}${node.untried ? `, ${node.untried} not tried` : ""}`,
    style: { left: `${node.at[0]}px`, top: `${node.at[1]}px` },
    onclick: () => graph.choose(node.id),
  }, image, badge, h("b", {}, node.name));
  button.dataset.look = look(node);
  button.dataset.id = node.id;
  return button;
}
