// One walk over the page as it is drawn: frames, open shadow roots and slots; JSON text out.
(() => {
  const W = window.__waypost;
  if (W.walk) return;
  const N = W.names;
  const stringify = JSON.stringify.bind(JSON);
  const FLAG = { click: 1, long: 2, scroll: 4, checkable: 8, checked: 16, selected: 32, focused: 64, disabled: 128, password: 256, hidden: 512 };
  const SKIP = new Set("SCRIPT STYLE NOSCRIPT TEMPLATE HEAD META LINK TITLE BR WBR HR SOURCE TRACK PARAM DATALIST OPTION OPTGROUP BASE COLGROUP COL AREA MAP".split(" "));
  const PHRASING = new Set("SPAN B I EM STRONG SMALL MARK CODE SUB SUP BR U S TIME ABBR KBD FONT BDI BDO Q CITE VAR SAMP DEL INS WBR DATA RUBY RT".split(" "));
  const LEAFLIKE = new Set(["button", "link", "tab", "menuitem", "option", "heading", "checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"]);
  const NATIVE = new Set(["button", "link", "textbox", "searchbox", "spinbutton", "checkbox", "radio", "switch", "slider", "combobox", "tab", "menuitem", "option", "menuitemcheckbox", "menuitemradio"]);
  const FORM = new Set(["checkbox", "radio", "switch", "combobox", "slider", "textbox", "button"]);
  const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox"]);
  const MOST_TYPED = 5000; // letters of a field that are told
  const OFF_SCREEN = 300; // nodes outside of the view that are kept

  const meet = (a, b) => {
    const l = Math.max(a.l, b.l), t = Math.max(a.t, b.t);
    return { l, t, r: Math.max(l, Math.min(a.r, b.r)), b: Math.max(t, Math.min(a.b, b.b)) };
  };
  const area = (r) => (r.r - r.l) * (r.b - r.t);
  const shifted = (r, f) => ({ l: r.left + f.dx, t: r.top + f.dy, r: r.right + f.dx, b: r.bottom + f.dy });

  W.walk = (o) => {
    const vv = window.visualViewport;
    const view = { l: 0, t: 0, r: window.innerWidth, b: window.innerHeight };
    const seen = { view, off: 0, canvas: 0, focus: W.focused(), endless: N.endless(document) };
    const frame = { doc: document, dx: 0, dy: 0, up: null, el: null };
    const body = document.body || document.documentElement;
    const ctx = { clip: view, free: view, hidden: false, pointer: false, frame };
    let tops = body ? visit(body, ctx, seen) : [];
    if (tops.length === 1 && tops[0].el === body && !tops[0].role && !tops[0].flags && !tops[0].text) tops = tops[0].kids;
    W.layers.settle(tops, seen);
    // Inside of a foreign frame the pixel ratio is not that of the screen: the outer page tells it.
    const k = o && o.k ? o.k : window.devicePixelRatio * (vv ? vv.scale : 1);
    const ox = vv ? vv.offsetLeft : 0, oy = vv ? vv.offsetTop : 0;
    const scale = (r) => [Math.round((r.l - ox) * k), Math.round((r.t - oy) * k), Math.round((r.r - ox) * k), Math.round((r.b - oy) * k)];
    const pack = (n) => {
      const row = { r: n.role, g: n.tag };
      // What stands in a field is told as it is: whoever types there reads it back.
      if (n.text) row.t = N.short(n.text, TYPED.has(n.role) ? MOST_TYPED : undefined);
      if (n.desc && n.desc !== n.text) row.d = N.short(n.desc);
      if (n.hint) row.h = N.short(n.hint);
      if (n.id) row.i = n.id;
      if (n.href) row.u = N.short(n.href);
      if (n.flags) row.f = n.flags;
      if (n.foreign) row.x = [n.foreign[0], Math.round((n.foreign[1] - ox) * k), Math.round((n.foreign[2] - oy) * k)];
      row.b = scale(n.rect);
      if (n.kids.length) row.c = n.kids.map(pack);
      return row;
    };
    const scroller = document.scrollingElement;
    const held = scroller && getComputedStyle(scroller).overflowY === "hidden";
    return stringify({
      tree: tops.map(pack),
      scroll: !!scroller && !held && scroller.scrollHeight > window.innerHeight + 4,
      url: location.href,
      title: document.title,
      k,
      size: [Math.round((vv ? vv.width : view.r) * k), Math.round((vv ? vv.height : view.b) * k)],
      keyboard: typing(seen.focus, view),
      canvas: seen.canvas / area(view),
    });
  };

  // A keyboard comes up for a field in view, once a finger has touched the page.
  function typing(el, view) {
    if (!W.editable(el) || el.inputMode === "none" || !navigator.userActivation.hasBeenActive) return false;
    if (el.ownerDocument !== document) return true;
    const r = el.getBoundingClientRect();
    return r.bottom > 0 && r.top < view.b && r.right > 0 && r.left < view.r;
  }

  // ---- one element -----------------------------------------------------------------------------------
  function visit(el, ctx, seen) {
    const tag = el.tagName.toUpperCase();
    if (SKIP.has(tag)) return [];
    const style = getComputedStyle(el);
    if (style.display === "none") return [];
    if (style.display === "contents") return inside(el, ctx, seen, style);
    const full = shifted(el.getBoundingClientRect(), ctx.frame);
    const clip = style.position === "fixed" ? seen.view : style.position === "absolute" ? ctx.free : ctx.clip;
    let rect = meet(full, clip);
    const sized = full.r - full.l > 1 && full.b - full.t > 1;
    const role = N.spinner(el, seen.endless) ? "progressbar" : N.role(el);
    let hidden = ctx.hidden || el.getAttribute("aria-hidden") === "true" || el.inert;
    let ghost = parseFloat(style.opacity) < 0.05;
    let drawn = style.visibility === "visible";
    if (!hidden && (ghost || !sized || !drawn) && FORM.has(role) && el.labels && el.labels.length) {
      // A drawn stand-in: what is touched and seen is the label.
      const stand = [...el.labels].map((l) => meet(shifted(l.getBoundingClientRect(), ctx.frame), clip)).find((r) => area(r) > 16);
      if (stand) [rect, ghost, drawn] = [stand, false, true];
    } else if (ghost && FORM.has(role) && el.tagName === "INPUT" && sized) ghost = false;
    hidden = hidden || ghost;
    if (sized && area(rect) === 0 && seen.off > OFF_SCREEN) return [];
    const within = childContext(el, ctx, seen, style, full, clip, hidden);
    const hands = N.handlers(el);
    const touch = touched(el, role, style, ctx, full, seen, hands);
    // A listener on a large box is one that acts for what the box holds.
    hands.press = hands.press && area(meet(full, seen.view)) < 0.4 * area(seen.view);
    within.pointer = style.cursor === "pointer";
    within.click = ctx.click || touch;
    within.native = ctx.native || (touch && NATIVE.has(role));
    const node = {
      el, frame: ctx.frame, role, tag: tag.toLowerCase() + (tag === "INPUT" ? ":" + el.type : ""), rect, full,
      text: "", desc: "", hint: "", id: N.id(el), href: "", flags: 0, kids: [], own: false,
      layer: style.position === "fixed" || style.position === "absolute" || tag === "DIALOG" || el.hasAttribute("popover"),
      hidden: hidden || !drawn || area(rect) < 4,
    };
    if (area(rect) === 0) seen.off++;
    const floats = node.layer && (style.zIndex !== "auto" || tag === "DIALOG" || el.hasAttribute("popover"));
    within.floats = ctx.floats || floats;
    // Choices that float over the page are a menu; suggestions for what is being typed belong to the field.
    if (role === "listbox" && (within.floats || node.layer) && !W.editable(seen.focus)) node.role = "menu";
    // Where nothing is typed yet, what a touched field unfolds are choices.
    else if (node.layer && UNFOLDED.has(role) && unfolds(seen.focus, el)) node.role = "menu";
    fill(node, el, role, touch, style, hands, seen.focus);
    if (tag === "CANVAS" && !node.hidden) seen.canvas += area(rect);
    if (role === "iframe") node.kids = framed(el, node, within, seen, full);
    else if (!["textbox", "searchbox", "spinbutton", "combobox", "slider", "img"].includes(role) || el.isContentEditable === false && !/^(INPUT|TEXTAREA|SELECT|IMG|SVG|CANVAS|VIDEO)$/.test(tag))
      node.kids = inside(el, within, seen, style, node);
    else if (el.isContentEditable) node.text = (el.innerText || "").replace(/\u00a0/g, " ").replace(/\n$/, "");
    return keep(node, touch, seen);
  }

  const UNFOLDED = new Set(["", "list", "listbox"]);
  function unfolds(field, el) {
    if (!W.editable(field) || field.value || field.isContentEditable || !W.touched || el.contains(field)) return false;
    if (W.touched !== field && !(field.labels && [...field.labels].some((l) => l.contains(W.touched)))) return false;
    const holder = el.parentElement;
    const near = !!holder && (holder === field.parentElement || (holder.contains(field) && holder.children.length < 4 && holder === field.parentElement.parentElement));
    return near && el.children.length > 1;
  }

  function childContext(el, ctx, seen, style, full, clip, hidden) {
    let inner = clip;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") {
      const box = el === document.body || el === document.documentElement ? seen.view : full;
      inner = meet(clip, box);
    }
    const anchors = style.position !== "static" || style.transform !== "none" || style.contain === "paint";
    return { clip: inner, free: anchors ? inner : ctx.free, hidden, pointer: ctx.pointer, frame: ctx.frame, click: ctx.click, native: ctx.native };
  }

  function touched(el, role, style, ctx, full, seen, { click, heard }) {
    if (NATIVE.has(role) || el.tagName === "SUMMARY") return true;
    if (style.pointerEvents === "none" || ctx.native) return false;
    if (el === document.body || el === document.documentElement) return false;
    const share = area(meet(full, seen.view)) / area(seen.view);
    const holds = () => !!el.querySelector("a[href],button,input,select,textarea,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[tabindex='0']");
    if (style.cursor === "pointer" && !ctx.pointer && !(share > 0.6 && holds())) return el.tagName !== "LABEL" || !el.control;
    if (el.tagName === "LABEL") return false;
    if (el.hasAttribute("onclick") && share < 0.6) return true;
    if (el.tabIndex >= 0 && el.hasAttribute("tabindex") && role && role !== "dialog" && !holds() && share < 0.5 && !["tabpanel", "main", "region", "list", "listbox", "menu", "grid", "table"].includes(role)) return true;
    if (ctx.pointer && ctx.click && !click) return false;
    return (click || heard) && share < 0.5 && full.b - full.t > 8 && !holds();
  }

  function fill(node, el, role, touch, style, hands, focus) {
    const F = FLAG;
    node.desc = N.description(el, role);
    node.text = N.value(el, role);
    if (touch) node.flags |= F.click;
    if (hands.press) node.flags |= F.long;
    if (role || touch) {
      if (N.disabled(el) || (touch && style.pointerEvents === "none")) node.flags |= F.disabled;
      if (N.selected(el)) node.flags |= F.selected;
    }
    if (["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(role) || el.hasAttribute("aria-pressed")) {
      node.flags |= F.checkable;
      if (N.checked(el, role)) node.flags |= F.checked;
      if (!node.text && node.desc && N.labels(el)) node.text = N.labels(el);
    }
    if (focus === el && el !== document.body) node.flags |= F.focused;
    if (el.tagName === "INPUT" && el.type === "password") node.flags |= F.password;
    if (el.placeholder || el.getAttribute("aria-placeholder")) node.hint = N.squeeze(el.placeholder || el.getAttribute("aria-placeholder"));
    if (el.tagName === "A") node.href = N.href(el);
    if (el.isContentEditable && (!el.parentElement || !el.parentElement.isContentEditable)) {
      node.role = role || "textbox";
      node.flags |= F.click;
    }
    const scrolls = (over, size, room) => (over === "auto" || over === "scroll") && size > room + 4 && room > 20;
    if (el !== document.body && (scrolls(style.overflowY, el.scrollHeight, el.clientHeight) || scrolls(style.overflowX, el.scrollWidth, el.clientWidth)))
      node.flags |= F.scroll;
  }

  // ---- what it holds -----------------------------------------------------------------------------------
  function contents(el) {
    if (el.shadowRoot) return el.shadowRoot.childNodes;
    if (el.tagName === "SLOT") {
      const given = el.assignedNodes({ flatten: true });
      return given.length ? given : el.childNodes;
    }
    if (el.tagName === "DETAILS" && !el.open) return [...el.children].filter((c) => c.tagName === "SUMMARY").slice(0, 1);
    return el.childNodes;
  }

  function inline(el, depth = 0) {
    // Text with nothing but phrasing inside is one piece of text.
    if (depth > 4 || el.shadowRoot || el.childNodes.length > 40) return false;
    for (const c of el.childNodes) {
      if (c.nodeType !== 1) continue;
      if (!PHRASING.has(c.tagName) || c.hasAttribute("role") || c.hasAttribute("onclick") || c.onclick || c.tabIndex >= 0) return false;
      const s = getComputedStyle(c);
      if (c.tagName !== "BR" && (!s.display.startsWith("inline") || s.position === "absolute")) return false;
      if (!inline(c, depth + 1)) return false;
    }
    return true;
  }
  function worded(el) {
    let text = "";
    for (const c of el.childNodes) {
      if (c.nodeType === 3) text += c.data;
      else if (c.nodeType === 1 && c.tagName === "BR") text += " ";
      else if (c.nodeType === 1 && !N.ligature(c) && c.getAttribute("aria-hidden") !== "true") {
        const s = getComputedStyle(c);
        // A gap between two pieces reads as a space.
        const gap = parseFloat(s.marginLeft) + parseFloat(s.paddingLeft) > 2 || getComputedStyle(c, "::before").content.startsWith('"');
        if (s.visibility === "visible" && s.opacity !== "0") text += (gap && text ? " " : "") + worded(c);
      }
    }
    return text;
  }

  function inside(el, ctx, seen, style, node) {
    const list = contents(el);
    let words = false;
    for (const c of list) if (c.nodeType === 3 && /\S/.test(c.data)) words = true;
    if (N.ligature(el)) return [];
    if ((words || (list.length > 1 && list.length < 12 && el.textContent.length < 200)) && !el.shadowRoot && el.tagName !== "SLOT" && style.display !== "contents" && inline(el)) {
      const text = N.squeeze(worded(el));
      if (!text) return plain(list, ctx, seen, style);
      if (words || [...list].every((c) => c.nodeType !== 1 || PHRASING.has(c.tagName))) {
        const leaf = textNode(el, el, text, ctx, style, node ? node.rect : ctx.clip);
        const rest = [...list].filter((c) => c.nodeType === 1 && !worded(c).trim() && c.tagName !== "BR");
        return [leaf, ...plain(rest, ctx, seen, style)];
      }
    }
    return plain(list, ctx, seen, style);
  }
  function plain(list, ctx, seen, style) {
    const out = [];
    for (const c of list) {
      if (c.nodeType === 1) for (const n of visit(c, ctx, seen)) out.push(n);
      if (c.nodeType === 3 && /\S/.test(c.data)) {
        const host = c.assignedSlot || c.parentElement || (c.parentNode && c.parentNode.host);
        if (host) out.push(textNode(c, host, N.squeeze(c.data), ctx, style, ctx.clip));
      }
    }
    return out;
  }
  function textNode(from, el, text, ctx, style, room) {
    const range = ctx.frame.doc.createRange();
    if (from.nodeType === 3) range.selectNode(from);
    else range.selectNodeContents(from);
    const full = shifted(range.getBoundingClientRect(), ctx.frame);
    const rect = meet(meet(full, ctx.clip), room === ctx.clip ? ctx.clip : room);
    return {
      el, frame: ctx.frame, role: "text", tag: el.tagName.toLowerCase(), rect, full, text, desc: "", hint: "", id: "", href: "",
      flags: 0, kids: [], own: true, layer: false, hidden: ctx.hidden || style.visibility !== "visible" || area(rect) < 4,
    };
  }

  function framed(el, node, ctx, seen, full) {
    let doc = null;
    try {
      doc = el.contentDocument;
    } catch {
      doc = null;
    }
    if (!doc || !doc.body) {
      if (!node.hidden && area(node.rect) > 100) {
        // Of another origin: it is asked by itself, and lies this far from the view's corner.
        if (!doc) node.foreign = [el.src || "", full.l + el.clientLeft, full.t + el.clientTop];
      }
      return [];
    }
    const frame = { doc, dx: full.l + el.clientLeft, dy: full.t + el.clientTop, up: ctx.frame, el };
    const clip = meet(ctx.clip, full);
    return visit(doc.body, { ...ctx, clip, free: clip, frame, pointer: false, native: false, click: false }, seen);
  }

  // ---- what is worth keeping ------------------------------------------------------------------------------
  function keep(node, touch, seen) {
    const role = node.role;
    const kids = node.kids;
    if (role === "img" && !touch) return picture(node);
    const only = kids.length === 1 ? kids[0] : null;
    if (only && only.role === "text" && !only.flags && (!only.id || !node.id)) {
      // The one piece of text is the element's own.
      node.text = node.text || only.text;
      node.id = node.id || only.id;
      node.own = true;
      node.kids = [];
      if (!role && !touch && !(node.flags & FLAG.long)) {
        Object.assign(node, { role: "text", rect: only.rect, hidden: node.hidden || only.hidden });
        return [node];
      }
    } else if (LEAFLIKE.has(role) && kids.length && kids.every((k) => k.role === "text" || (k.role === "img" && !k.desc))) {
      const texts = kids.filter((k) => k.role === "text");
      if (texts.length === 1 && !texts[0].id) {
        node.text = node.text || texts[0].text;
        node.kids = [];
      }
    }
    const twin = touch && node.kids.length === 1 && node.kids[0].flags & FLAG.click ? node.kids[0] : null;
    if (twin && (!NATIVE.has(role) || role === "option") && area(twin.rect) > 0.8 * area(node.rect)) {
      // The same touch twice: the inner one names it.
      node.flags &= ~FLAG.click;
      touch = false;
    }
    if (touch && !node.text && !node.desc && !named(node.kids)) node.desc = node.hint ? "" : N.icon(node.el);
    if (role || touch || node.flags & (FLAG.scroll | FLAG.long)) return [node];
    if (node.kids.length > 1) return [node];
    if (node.id && node.kids.length) return [node];
    if (node.layer && node.kids.length) return [node];
    if (node.layer && !node.hidden && area(node.rect) > 0.6 * area(seen.view)) return [node];
    return node.kids;
  }
  function named(kids) {
    return kids.some((k) => k.text || k.desc || named(k.kids));
  }
  function picture(node) {
    const r = node.full;
    node.kids = [];
    const worth = node.desc || node.flags || (node.tag !== "svg" && Math.min(r.r - r.l, r.b - r.t) >= 24);
    return worth ? [node] : [];
  }
  W.FLAG = FLAG;
  W.meet = meet;
  W.area = area;
})();
