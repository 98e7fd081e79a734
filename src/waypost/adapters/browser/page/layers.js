// Which elements can be seen and touched where they lie, and which box lies over the others.
(() => {
  const W = window.__waypost;
  if (W.layers) return;
  const N = W.names;
  const L = (W.layers = {});

  L.settle = (tops, seen) => {
    const covers = new Map(); // branch that lies over others -> how many it hides
    const cache = { paints: new WeakMap(), lifted: new WeakMap() };
    let tested = 0;
    const test = (node) => {
      if (!node.hidden) {
        tested++;
        if (!uncover(node, seen.view, covers, cache)) node.hidden = true;
      }
    };
    const down = (node) => {
      let shown = false;
      for (const k of node.kids) if (down(k)) shown = true;
      if (node.kids.length && shown && !(node.flags & W.FLAG.click)) node.hidden = node.hidden && !shown;
      else if (!node.hidden) test(node);
      return shown || !node.hidden;
    };
    for (const n of tops) down(n);
    for (const [branch, count] of covers) promote(branch, count, tops, seen);
    prune(tops);
    const mark = (n) => {
      if (n.hidden) n.flags |= W.FLAG.hidden;
      n.kids.forEach(mark);
    };
    tops.forEach(mark);
  };

  // ---- hit tests -------------------------------------------------------------------------------------
  const deepest = (doc, x, y) => {
    let el = doc.elementFromPoint(x, y);
    while (el && el.shadowRoot) {
      const inner = el.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };
  const hit = (frame, x, y) => {
    if (frame.up) {
      const outer = hit(frame.up, x, y);
      if (outer !== frame.el) return outer;
    }
    return deepest(frame.doc, x - frame.dx, y - frame.dy);
  };
  const common = (a, b) => {
    const line = new Set();
    for (let n = a; n; n = N.parent(n)) line.add(n);
    for (let n = b; n; n = N.parent(n)) if (line.has(n)) return n;
    return null;
  };
  const lifted = (el, cache) => {
    if (!cache.lifted.has(el)) {
      const p = getComputedStyle(el).position;
      cache.lifted.set(el, p === "fixed" || p === "absolute" || el.tagName === "DIALOG");
    }
    return cache.lifted.get(el);
  };
  const paints = (el, cache, view) => {
    // Whether the box hides what lies below it: drawn over, or wide enough to catch every touch.
    if (cache.paints.has(el)) return cache.paints.get(el);
    const s = getComputedStyle(el);
    let answer = false;
    if (/^(IMG|VIDEO|CANVAS|IFRAME|OBJECT|EMBED)$/.test(el.tagName)) answer = s.opacity > 0.1;
    else {
      const alpha = /rgba\(.*,\s*([\d.]+)\)/.exec(s.backgroundColor);
      const ink = s.backgroundColor !== "transparent" && (!alpha || parseFloat(alpha[1]) > 0.1);
      answer = (ink || s.backgroundImage !== "none" || (s.backdropFilter && s.backdropFilter !== "none")) && parseFloat(s.opacity) > 0.1;
    }
    if (!answer && (s.position === "fixed" || s.position === "absolute")) {
      const r = el.getBoundingClientRect();
      answer = r.width * r.height > 0.6 * W.area(view);
    }
    cache.paints.set(el, answer);
    return answer;
  };
  const reaches = (node, x, y, view, covers, cache) => {
    const el = node.el;
    const top = hit(node.frame, x, y);
    if (!top) return false;
    if (top === el || N.contains(el, top) || N.contains(top, el)) return true;
    const label = top.closest && top.closest("label");
    if (label && (label.control === el || N.contains(label, el))) return true;
    if (el.control && N.contains(el.control, top)) return true;
    const above = common(el, top);
    let opaque = false;
    let layer = null; // the outermost box on the way that is lifted out of the flow
    for (let n = top; n && n !== above; n = N.parent(n)) {
      if (n.nodeType !== 1) continue;
      if (paints(n, cache, view)) opaque = true;
      if (lifted(n, cache)) layer = n;
    }
    const touchable = (node.flags & W.FLAG.click) !== 0;
    if (opaque || touchable) {
      if (layer) covers.set(layer, (covers.get(layer) || 0) + 1);
      return false;
    }
    return true;
  };

  // True where some of it can be reached; its box shrinks to the part that can.
  const uncover = (node, view, covers, cache) => {
    const r = node.rect;
    const w = r.r - r.l, h = r.b - r.t;
    const at = (fx, fy) => reaches(node, Math.min(r.l + w * fx, view.r - 1), Math.min(r.t + h * fy, view.b - 1), view, covers, cache);
    if (at(0.5, 0.5)) {
      if (h > 48 && w > 48) trim(node, r, at);
      return true;
    }
    const rows = [0.1, 0.3, 0.7, 0.9].filter((f) => h >= 12 && at(0.5, f));
    if (rows.length) {
      node.rect = rows[0] < 0.5 ? { ...r, b: r.t + h * (rows.includes(0.3) ? 0.45 : 0.2) } : { ...r, t: r.t + h * (rows.includes(0.7) ? 0.55 : 0.8) };
      return true;
    }
    const columns = [0.1, 0.3, 0.7, 0.9].filter((f) => w >= 12 && at(f, 0.5));
    if (!columns.length) return false;
    node.rect = columns[0] < 0.5 ? { ...r, r: r.l + w * (columns.includes(0.3) ? 0.45 : 0.2) } : { ...r, l: r.l + w * (columns.includes(0.7) ? 0.55 : 0.8) };
    return true;
  };
  const trim = (node, r, at) => {
    // A large box whose upper or lower edge lies under a bar.
    const h = r.b - r.t;
    const top = at(0.5, 0.03), bottom = at(0.5, 0.97);
    if (top && bottom) return;
    let t = r.t, b = r.b;
    if (!top) t = r.t + h * (at(0.5, 0.15) ? 0.09 : at(0.5, 0.3) ? 0.25 : 0.45);
    if (!bottom) b = r.b - h * (at(0.5, 0.85) ? 0.09 : at(0.5, 0.7) ? 0.25 : 0.45);
    node.rect = { ...r, t, b };
  };

  // ---- layers ----------------------------------------------------------------------------------------
  const MODAL = new Set(["dialog", "alertdialog", "menu", "listbox", "navigation", "tooltip", "popover"]);
  const INNER = new Set([...MODAL].filter((r) => r !== "listbox" && r !== "tooltip")); // suggestions make no layer
  const leaves = (node, out = []) => {
    if (!node.hidden && (node.text || node.desc || node.hint || node.flags & W.FLAG.click)) out.push(node);
    for (const k of node.kids) leaves(k, out);
    return out;
  };
  const inBranch = (nodes, branch, out = []) => {
    for (const n of nodes) {
      if (N.contains(branch, n.el)) out.push(n);
      else inBranch(n.kids, branch, out);
    }
    return out;
  };
  const boxOf = (nodes) => nodes.reduce((a, n) => ({
    l: Math.min(a.l, n.rect.l), t: Math.min(a.t, n.rect.t), r: Math.max(a.r, n.rect.r), b: Math.max(a.b, n.rect.b),
  }), { l: 1e9, t: 1e9, r: -1e9, b: -1e9 });
  const modalAround = (el) => {
    for (let n = el; n; n = N.parent(n)) if (n.nodeType === 1 && MODAL.has(N.role(n))) return true;
    return false;
  };

  const promote = (branch, count, tops, seen) => {
    const view = seen.view;
    if (modalAround(branch)) return;
    const roots = inBranch(tops, branch);
    const all = roots.flatMap((n) => leaves(n));
    const backdrop = (n) => W.area(n.rect) > 0.85 * W.area(view) && !n.text && !n.desc;
    const content = all.filter((n) => !backdrop(n));
    const taps = content.filter((n) => n.flags & W.FLAG.click);
    if (content.some((n) => INNER.has(n.role)) || roots.some((n) => has(n, INNER))) return;
    const panel = panelOf(branch, content, view);
    const box = panel || boxOf(content);
    const wide = (box.r - box.l) / (view.r - view.l), high = (box.b - box.t) / (view.b - view.t);
    if (!content.length || (wide > 0.95 && high > 0.95)) return; // a page laid over a page
    const veiled = veils(branch, view);
    if (veiled && solid(branch, view)) return; // what lies below is gone, not dimmed: a page
    const bar = wide > 0.9 && high < 0.25 && (box.t <= view.t + 4 || box.b >= view.b - 4);
    // Without a veil it must look like choices, or be large: a short notice over the page is none.
    const worded = (n) => n.text || n.kids.some(worded);
    const rows = wide < 0.25 ? 0 : taps.filter((n) => n.rect.r - n.rect.l > 0.6 * (box.r - box.l) && worded(n)).length;
    if (!veiled && (bar || count < 2 || (rows < 2 && (taps.length < 2 || wide * high < 0.25)))) return;
    const owner = roots.map((n) => [leaves(n).length, n]).sort((a, b) => b[0] - a[0])[0][1];
    const role = layerRole(box, view, wide, high, content, taps);
    const target = holder(owner, content.length);
    if (PLAIN.has(target.role) && (target.kids.length || !target.role)) target.role = role;
  };
  const PLAIN = new Set(["", "region", "group", "complementary", "list", "main", "form"]);
  const has = (node, roles) => (!node.hidden && roles.has(node.role)) || node.kids.some((k) => has(k, roles));
  // The innermost plain box that still holds everything: the panel, not the veil around it.
  const holder = (node, count) => {
    const inner = node.kids.find((k) => k.kids.length && PLAIN.has(k.role) && !(k.flags & W.FLAG.click) && leaves(k).length >= count);
    return inner ? holder(inner, count) : node;
  };
  const layerRole = (box, view, wide, high, content, taps) => {
    if (high > 0.85 && wide < 0.95 && (box.l <= view.l + 4 || box.r >= view.r - 4)) return "navigation";
    const plain = content.every((n) => n.role !== "heading" && !/textbox|searchbox|combobox/.test(n.role));
    if (plain && taps.length >= 2 && wide * high < 0.5 && taps.length >= content.length / 2.5 && box.b < view.b - 4) return "menu";
    return "dialog";
  };
  // The box that is drawn around the content, inside of the branch.
  const panelOf = (branch, content, view) => {
    if (!content.length) return null;
    let el = content[0].el;
    while (el && !content.every((n) => N.contains(el, n.el))) el = N.parent(el);
    for (let n = el; n && n.nodeType === 1; n = N.parent(n)) {
      const s = getComputedStyle(n);
      const r = n.getBoundingClientRect();
      const box = W.meet({ l: r.left, t: r.top, r: r.right, b: r.bottom }, view);
      const ink = s.backgroundColor !== "transparent" && !/,\s*0(\.\d+)?\)$/.test(s.backgroundColor);
      if (ink || s.backgroundImage !== "none" || s.boxShadow !== "none") return box;
      if (n === branch) return null;
    }
    return null;
  };
  // Whether it takes the whole view while it leaves parts of it seemingly free: a scrim.
  const veils = (branch, view) => {
    const points = [[0.03, 0.03], [0.97, 0.03], [0.03, 0.97], [0.97, 0.97], [0.5, 0.02], [0.5, 0.98]];
    return points.filter(([x, y]) => {
      const top = deepest(document, view.r * x, view.b * y);
      return top && N.contains(branch, top);
    }).length >= 5;
  };

  // Whether what takes the view's corner is drawn without letting anything through.
  const solid = (branch, view) => {
    for (let n = deepest(document, view.r * 0.03, view.b * 0.03); n; n = N.parent(n)) {
      if (n.nodeType === 1) {
        const s = getComputedStyle(n);
        const alpha = /rgba\(.*,\s*([\d.]+)\)/.exec(s.backgroundColor);
        if (s.backgroundColor !== "transparent" && (!alpha || parseFloat(alpha[1]) > 0.95) && parseFloat(s.opacity) > 0.95) return true;
      }
      if (n === branch) break;
    }
    return false;
  };

  // Boxes kept only as candidates for a layer, and not found to be one, make way for what they hold.
  const prune = (nodes) => {
    for (let i = 0; i < nodes.length; i++) {
      const n = nodes[i];
      prune(n.kids);
      if (n.role || n.flags || n.text || n.desc || n.kids.length > 1 || (n.id && n.kids.length)) continue;
      if (n.kids.length <= 1) nodes.splice(i, 1, ...n.kids);
      if (!n.kids.length) i--;
    }
  };
})();
