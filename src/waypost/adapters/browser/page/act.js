// What a gesture needs to know of the page, and the few things that only the page can do for it.
(() => {
  const W = window.__waypost;
  if (W.fieldAt) return;

  const deepest = (x, y) => {
    let el = document.elementFromPoint(x, y);
    while (el) {
      let inner = null;
      if (el.shadowRoot) inner = el.shadowRoot.elementFromPoint(x, y);
      else if (el.tagName === "IFRAME" && el.contentDocument) {
        const r = el.getBoundingClientRect();
        [x, y] = [x - r.left - el.clientLeft, y - r.top - el.clientTop];
        inner = el.contentDocument.elementFromPoint(x, y);
      }
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };

  // ---- a native list of choices, which the browser would draw outside of the page ---------------------
  W.choicesAt = ([x, y]) => {
    const el = deepest(x, y);
    const label = el && el.closest("label");
    const select = el && (el.closest("select") || (label && label.control));
    if (!select || select.tagName !== "SELECT" || select.disabled || select.multiple || select.size > 1) return null;
    W.chooser = select;
    return {
      labels: [...select.options].map((o) => W.names.squeeze(o.label)),
      chosen: select.selectedIndex,
      name: W.names.description(select, "combobox"),
    };
  };
  W.choose = (index) => {
    const el = W.chooser;
    if (!el || el.selectedIndex === index || !el.options[index] || el.options[index].disabled) return;
    el.selectedIndex = index;
    for (const kind of ["input", "change"]) el.dispatchEvent(new Event(kind, { bubbles: true, composed: true }));
  };

  // ---- a long press -------------------------------------------------------------------------------
  W.askMenu = ([x, y]) => {
    const el = deepest(x, y);
    const event = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, button: 2, view: window };
    if (el) el.dispatchEvent(new MouseEvent("contextmenu", event));
  };

  // ---- fields -------------------------------------------------------------------------------------
  const kind = (el) => {
    if (!W.editable(el)) return "";
    if (el.type === "password") return "password";
    return /^(date|time|datetime-local|month|week)$/.test(el.type || "") ? "picker" : "text";
  };
  const fieldAround = (el) => {
    for (let n = el; n; n = W.names.parent(n)) if (n.nodeType === 1 && W.editable(n)) return n;
    const label = el && el.closest && el.closest("label");
    if (label && label.control) return label.control;
    const inside = el ? [...el.querySelectorAll("input,textarea,[contenteditable]")].filter(W.editable) : [];
    return inside.length === 1 ? inside[0] : null;
  };
  // Make sure that the field at a point has the focus (any field, where no point is given); say what it is.
  W.fieldAt = (p) => {
    const el = W.focused();
    if (!p) return kind(el);
    const field = fieldAround(deepest(p[0], p[1]));
    // A tap may have opened the real field somewhere else: then that one has the focus.
    if (field && field !== el && W.editable(field)) field.focus();
    return kind(W.focused());
  };
  W.fieldInside = () => (document.hasFocus() ? kind(W.focused()) : "");
  W.selectAll = () => {
    const el = W.focused();
    if (el.select) return el.select();
    const range = el.ownerDocument.createRange();
    range.selectNodeContents(el);
    const selection = el.ownerDocument.defaultView.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  // The text of the field, a moment later: a controlled field may take it back.
  W.readField = () => new Promise((done) => {
    setTimeout(() => {
      const el = W.focused();
      done(el.value !== undefined && !el.isContentEditable ? el.value : el.innerText || "");
    }, 30);
  });
  W.forceField = (text) => {
    const el = W.focused();
    const view = el.ownerDocument.defaultView;
    if (el.isContentEditable) el.textContent = text;
    else {
      const of = el.tagName === "TEXTAREA" ? view.HTMLTextAreaElement : view.HTMLInputElement;
      Object.getOwnPropertyDescriptor(of.prototype, "value").set.call(el, text);
    }
    const event = { bubbles: true, composed: true, data: text, inputType: "insertText" };
    el.dispatchEvent(new view.InputEvent("input", event));
    el.dispatchEvent(new view.Event("change", { bubbles: true }));
  };
})();
