"use strict";
// Shows, hides, groups and walks what is in the page already. Text is only ever read, and written as text.
(() => {
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const search = one("#search"), status = one("#status"), clear = one("#clear"), nothing = one("#nothing");
  const files = one("#files"), rules = one("#rules");

  const groups = all("details.group", files);
  const findings = groups.flatMap((group) =>
    all("article", group).map((element) => ({ element, group, ...element.dataset, text: null, visible: true })));
  const chosen = { severity: null, rule: new Set(), file: new Set() };
  const toggles = all(".toggle");
  const facets = all(".facet").map((button) => {
    const kind = button.dataset.rule === undefined ? "file" : "rule";
    const { name } = button.dataset;
    return { button, kind, name, value: button.dataset[kind], count: button.querySelector(".count") };
  });
  // Advice is folded at first, unless the page says otherwise, and unfolded for who looks for something.
  const unfolded = all(".fold", files).some((fold) => fold.open);
  let words = [], byRule = null, current = null, areFoldsOpen = unfolded;

  const textOf = (finding) => (finding.text ??= finding.element.textContent.toLowerCase());
  const matchesText = (finding) => words.every((word) => textOf(finding).includes(word));
  const isChosen = (kind, finding) => chosen[kind].size === 0 || chosen[kind].has(finding[kind]);

  function apply() {
    const counts = { rule: new Map(), file: new Map() };
    const add = (kind, key) => counts[kind].set(key, (counts[kind].get(key) ?? 0) + 1);
    let shown = 0;
    for (const finding of findings) {
      const here = matchesText(finding) && (chosen.severity === null || chosen.severity === finding.severity);
      const rule = isChosen("rule", finding), file = isChosen("file", finding);
      if (here && file) add("rule", finding.rule);
      if (here && rule) add("file", finding.file);
      const visible = here && rule && file;
      if (visible !== finding.visible) finding.element.hidden = !visible;
      finding.visible = visible;
      shown += visible;
    }
    for (const { button, kind, value, count } of facets) {
      const number = counts[kind].get(value) ?? 0;
      count.textContent = number;
      button.classList.toggle("none", number === 0);
      button.setAttribute("aria-pressed", chosen[kind].has(value));
    }
    for (const button of toggles) button.setAttribute("aria-pressed", chosen.severity === button.dataset.severity);
    arrange();
    const everything = shown === findings.length;
    status.textContent = findings.length === 0 ? "" : everything ? "Showing all findings" : `Showing ${shown} of ${findings.length} findings`;
    clear.hidden = !isFiltered();
    nothing.hidden = shown > 0 || findings.length === 0;
    remember();
  }

  // Hides what has nothing to show, and folds and counts advice.
  function arrange() {
    const alive = new Set(), advice = new Map();
    for (const finding of findings) {
      if (!finding.visible) continue;
      alive.add(finding.element.closest(".group"));
      const fold = finding.element.closest(".fold");
      if (fold) advice.set(fold, (advice.get(fold) ?? 0) + 1);
    }
    const shownGroups = byRule && root.dataset.group === "rule" ? byRule : groups;
    for (const group of shownGroups) group.hidden = !alive.has(group);
    const open = unfolded || isFiltered();
    for (const fold of shownGroups.flatMap((group) => all(".fold", group))) {
      fold.hidden = !advice.has(fold);
      const count = advice.get(fold) ?? 0;
      fold.querySelector("summary").textContent = `${count} ${count === 1 ? "piece" : "pieces"} of advice`;
      if (open !== areFoldsOpen) fold.open = open;
    }
    areFoldsOpen = open;
  }

  const isFiltered = () => words.length > 0 || chosen.rule.size > 0 || chosen.file.size > 0 || chosen.severity !== null;

  // The address of the page has what is chosen, so that it can be sent to others.
  function remember() {
    const address = new URLSearchParams();
    if (chosen.severity) address.set("severity", chosen.severity);
    for (const { kind, name, value } of facets) if (chosen[kind].has(value)) address.append(kind, name);
    if (words.length > 0) address.set("q", words.join(" "));
    if (root.dataset.group === "rule") address.set("group", "rule");
    const text = address.toString();
    if (!text && !location.hash.includes("=")) return;
    try { history.replaceState(null, "", `#${text}`); } catch { /* a page in a frame may have no address */ }
  }

  function recall() {
    if (!location.hash.includes("=")) return;
    const address = new URLSearchParams(location.hash.slice(1)), severity = address.get("severity");
    chosen.severity = toggles.some((button) => button.dataset.severity === severity) ? severity : null;
    for (const kind of ["rule", "file"]) {
      const names = address.getAll(kind);
      chosen[kind] = new Set(facets.filter((facet) => facet.kind === kind && names.includes(facet.name)).map((facet) => facet.value));
    }
    search.value = address.get("q") ?? "";
    words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    groupBy(address.get("group") === "rule" ? "rule" : "file");
  }

  function reset() {
    search.value = "";
    words = [];
    chosen.rule.clear();
    chosen.file.clear();
    chosen.severity = null;
    apply();
  }

  function groupBy(kind) {
    root.dataset.group = kind;
    all(".grouping button").forEach((button) => button.setAttribute("aria-pressed", button.dataset.group === kind));
    const containers = kind === "rule" ? ruleGroups() : new Map(groups.map((group) => [group.dataset.file, group]));
    const batches = new Map();
    for (const finding of findings) {
      const items = containers.get(finding[kind]).querySelector(finding.severity === "advice" ? ".fold > .items" : ":scope > .items");
      if (!batches.has(items)) batches.set(items, document.createDocumentFragment());
      batches.get(items).append(finding.element);
    }
    batches.forEach((fragment, items) => items.append(fragment));
    files.hidden = kind === "rule";
    rules.hidden = kind === "file";
  }

  function ruleGroups() {
    if (byRule === null) {
      byRule = facets.filter((facet) => facet.kind === "rule").map(({ button, value }) => {
        const group = document.createElement("details"), summary = document.createElement("summary");
        const title = document.createElement("h2"), items = document.createElement("div");
        const fold = document.createElement("details"), folded = items.cloneNode();
        group.className = "group";
        group.open = true;
        group.dataset.rule = value;
        items.className = folded.className = "items";
        fold.className = "fold";
        fold.open = areFoldsOpen;
        fold.append(document.createElement("summary"), folded);
        title.textContent = button.querySelector(".label").textContent;
        summary.append(title);
        group.append(summary, items, fold);
        return group;
      });
      rules.append(...byRule);
    }
    return new Map(byRule.map((group) => [group.dataset.rule, group]));
  }

  function walk(step) {
    // In the order of the page, which the grouping decides.
    const order = all("article.finding", root.dataset.group === "rule" ? rules : files)
      .filter((element) => !element.hidden && element.closest(".group").open && element.closest("details").open);
    if (order.length === 0) return;
    const at = order.indexOf(current);
    const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : Math.min(Math.max(at + step, 0), order.length - 1);
    select(order[next]);
  }

  function select(element) {
    current?.removeAttribute("tabindex");
    current = element;
    current.tabIndex = 0;
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: "nearest" });
  }

  let pending = 0;
  search.addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(() => {
      words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      apply();
    }, findings.length > 1000 ? 80 : 0);
  });
  toggles.forEach((button) => button.addEventListener("click", () => {
    const { severity } = button.dataset;
    chosen.severity = chosen.severity === severity ? null : severity;
    apply();
  }));
  facets.forEach(({ button, kind, value, count }) => button.addEventListener("click", () => {
    // Whoever asks for what another severity has wants to see it.
    if (count.textContent === "0" && !chosen[kind].has(value)) chosen.severity = null;
    if (!chosen[kind].delete(value)) chosen[kind].add(value);
    apply();
  }));
  all(".grouping button").forEach((button) => button.addEventListener("click", () => { groupBy(button.dataset.group); apply(); }));
  clear.addEventListener("click", () => { reset(); search.focus(); });
  one("main").addEventListener("focusin", (event) => {
    const finding = event.target.closest("article.finding");
    if (finding) current = finding;
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target === search, reading = event.target.matches("article.finding");
    const moves = { ArrowDown: 1, ArrowUp: -1, ...(typing ? {} : { j: 1, k: -1 }) };
    if (event.key === "/" && !typing) search.focus();
    else if (event.key === "Escape") {
      if (isFiltered() || search.value) reset();
      else document.activeElement.blur();
    } else if (event.key in moves && (typing || reading || event.key.length === 1)) walk(moves[event.key]);
    else if (event.key === "Enter" && typing) walk(1);
    else if (event.key === "Enter" && reading) {
      const fix = event.target.querySelector("details.fix");
      if (!fix) return;
      fix.open = !fix.open;
    } else return;
    event.preventDefault();
  });

  const narrow = matchMedia("(max-width: 52rem)"), panel = one(".panel");
  const fold = () => { panel.open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  addEventListener("hashchange", () => { recall(); apply(); });
  recall();
  apply();
})();
