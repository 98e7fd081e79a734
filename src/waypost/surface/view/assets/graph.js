// The picture of the map: what is shown, where one looks from, and what is chosen. Drawn by picture.js.

const SHOT = [120, 267];

const graph = {
  nodes: new Map(), ways: [], out: new Map(), into: new Map(), bands: [], size: [1, 1], cell: [1, 1],
  view: { x: 0, y: 0, k: 1 }, chosen: null, here: null, route: [],

  take(overview) {
    this.nodes = new Map(overview.nodes.map(n => [n.id, n]));
    this.ways = overview.ways.filter(w => this.nodes.has(w.from) && this.nodes.has(w.to));
    this.out = new Map(); this.into = new Map();
    for (const way of this.ways) {
      if (!this.out.has(way.from)) this.out.set(way.from, []);
      if (!this.into.has(way.to)) this.into.set(way.to, []);
      this.out.get(way.from).push(way);
      this.into.get(way.to).push(way);
    }
    [this.bands, this.size, this.cell, this.root] = [overview.bands, overview.size, overview.cell, overview.root];
    if (!this.nodes.has(this.chosen)) this.chosen = null;
  },

  center(node) {
    return [node.at[0] + SHOT[0] / 2, node.at[1] + SHOT[1] / 2];
  },

  // The next page in a direction: near in that direction counts more than near aside of it.
  beside(id, dx, dy) {
    const [x, y] = this.center(this.nodes.get(id));
    let best = null, least = Infinity;
    for (const node of this.nodes.values()) {
      const [nx, ny] = this.center(node);
      const along = (nx - x) * dx + (ny - y) * dy;
      const aside = Math.abs((nx - x) * dy) + Math.abs((ny - y) * dx);
      if (along < 20 || aside > along * 2.5) continue;
      const far = along + 2 * aside;
      if (far < least) [best, least] = [node.id, far];
    }
    return best;
  },

  zoom(factor, x, y) {
    const k = Math.min(2, Math.max(this.least(), this.view.k * factor));
    const real = k / this.view.k;
    this.view = { k, x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real };
    picture.moved();
  },

  least() {
    const [w, h] = picture.extent();
    return Math.min(0.6, 0.8 * Math.min(w / (this.size[0] + 80), h / (this.size[1] + 120)));
  },

  fit() {
    const [w, h] = picture.extent();
    // Room is left above for the headings.
    const k = Math.min(1, (w - 20) / this.size[0], (h - 46) / this.size[1]);
    this.view = { k, x: (w - this.size[0] * k) / 2, y: Math.max(38, (h - this.size[1] * k) / 2) };
    picture.moved();
  },

  // What is read first: the start page at a size at which it can be read, all of the map where it is small.
  open() {
    this.fit();
    const root = this.nodes.get(this.root);
    if (this.view.k < 0.32 && root) {
      const [w, h] = picture.extent();
      const k = w < 500 ? 0.5 : 0.62;
      this.view = { k, x: 40 - root.at[0] * k, y: h / 2 - this.center(root)[1] * k };
      picture.moved();
    }
  },

  // Bring a page into sight; what is in sight already stays where it is.
  reveal(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    const [w, h] = picture.extent();
    const k = Math.max(this.view.k, 0.4);
    const [x, y] = [node.at[0] * k + this.view.x, node.at[1] * k + this.view.y];
    const seen = k === this.view.k && x >= 8 && y >= 8 && x + SHOT[0] * k <= w - 8 && y + SHOT[1] * k <= h - 8;
    if (!seen) {
      const [cx, cy] = this.center(node);
      this.view = { k, x: w / 2 - cx * k, y: h / 2 - cy * k };
    }
    picture.moved();
  },

  choose(id, { quiet = false } = {}) {
    this.chosen = id;
    if (id) this.reveal(id);
    picture.moved();
    if (id && !quiet) cards.open(id);
  },
};
