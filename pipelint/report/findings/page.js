"use strict";
// Shows, hides, groups and walks what is in the page already. Text is only ever read, and written as text.
(() => {
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const search = one("#search"), status = one("#status"), clear = one("#clear"), nothing = one("#nothing");
  const showAdvice = one("#show-advice");
  const files = one("#files"), rules = one("#rules");

  const groups = all("details.group", files);
  const findings = groups.flatMap((group) =>
    all("article", group).map((element) => ({ element, group, ...element.dataset, text: null, visible: true })));
  const chosen = { severity: new Set(), rule: new Set(), file: new Set() };
  const toggles = all(".toggle");
  const facets = all(".facet").map((button) => {
    const kind = button.dataset.rule === undefined ? "file" : "rule";
    return { button, kind, value: button.dataset[kind], count: button.querySelector(".count") };
  });
  // What is pressed in the page at first is what a reader should see first.
  const atFirst = toggles.filter((button) => button.ariaPressed === "true").map((button) => button.dataset.severity);
  atFirst.forEach((severity) => chosen.severity.add(severity));
  let words = [], byRule = null, current = null;

  const textOf = (finding) => (finding.text ??= finding.element.textContent.toLowerCase());
  const matchesText = (finding) => words.every((word) => textOf(finding).includes(word));
  const isChosen = (kind, finding) => chosen[kind].size === 0 || chosen[kind].has(finding[kind]);

  function apply() {
    const counts = { rule: new Map(), file: new Map() };
    const add = (kind, key) => counts[kind].set(key, (counts[kind].get(key) ?? 0) + 1);
    let shown = 0, hiddenAdvice = 0;
    for (const finding of findings) {
      const matches = matchesText(finding), here = matches && chosen.severity.has(finding.severity);
      const rule = isChosen("rule", finding), file = isChosen("file", finding);
      hiddenAdvice += matches && !here && rule && file && finding.severity === "advice";
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
    for (const button of toggles) button.setAttribute("aria-pressed", chosen.severity.has(button.dataset.severity));
    hideEmptyGroups();
    const everything = shown === findings.length;
    status.textContent = findings.length === 0 ? "" : everything ? "Showing all findings" : `Showing ${shown} of ${findings.length} findings`;
    showAdvice.hidden = hiddenAdvice === 0 || !isFiltered();
    showAdvice.textContent = `Show ${hiddenAdvice} advice`;
    clear.hidden = !isFiltered();
    nothing.hidden = shown > 0 || findings.length === 0;
  }

  function hideEmptyGroups() {
    const alive = new Set();
    for (const finding of findings) if (finding.visible) alive.add(finding.element.closest(".group"));
    for (const group of byRule && root.dataset.group === "rule" ? byRule : groups) group.hidden = !alive.has(group);
  }

  const isFiltered = () =>
    words.length > 0 || chosen.rule.size > 0 || chosen.file.size > 0 || !atFirst.every((severity) => chosen.severity.has(severity));

  function reset() {
    search.value = "";
    words = [];
    chosen.rule.clear();
    chosen.file.clear();
    atFirst.forEach((severity) => chosen.severity.add(severity));
    apply();
  }

  function groupBy(kind) {
    root.dataset.group = kind;
    all(".grouping button").forEach((button) => button.setAttribute("aria-pressed", button.dataset.group === kind));
    const containers = kind === "rule" ? ruleGroups() : new Map(groups.map((group) => [group.dataset.file, group]));
    const batches = new Map();
    for (const finding of findings) {
      const items = containers.get(finding[kind]).querySelector(".items");
      if (!batches.has(items)) batches.set(items, document.createDocumentFragment());
      batches.get(items).append(finding.element);
    }
    batches.forEach((fragment, items) => items.append(fragment));
    files.hidden = kind === "rule";
    rules.hidden = kind === "file";
    hideEmptyGroups();
  }

  function ruleGroups() {
    if (byRule === null) {
      byRule = facets.filter((facet) => facet.kind === "rule").map(({ button, value }) => {
        const group = document.createElement("details"), summary = document.createElement("summary");
        const title = document.createElement("h2"), items = document.createElement("div");
        group.className = "group";
        group.open = true;
        group.dataset.rule = value;
        items.className = "items";
        title.textContent = button.querySelector(".label").textContent;
        summary.append(title);
        group.append(summary, items);
        return group;
      });
      rules.append(...byRule);
    }
    return new Map(byRule.map((group) => [group.dataset.rule, group]));
  }

  function walk(step) {
    // In the order of the page, which the grouping decides.
    const order = all("article.finding", root.dataset.group === "rule" ? rules : files)
      .filter((element) => !element.hidden && element.closest(".group").open);
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
    if (!chosen.severity.delete(severity)) chosen.severity.add(severity);
    apply();
  }));
  facets.forEach(({ button, kind, value, count }) => button.addEventListener("click", () => {
    // Whoever asks for what is only advice wants to see it.
    if (count.textContent === "0" && !chosen[kind].has(value)) chosen.severity.add("advice");
    if (!chosen[kind].delete(value)) chosen[kind].add(value);
    apply();
  }));
  showAdvice.addEventListener("click", () => { chosen.severity.add("advice"); apply(); one(".toggle.advice").focus(); });
  all(".grouping button").forEach((button) => button.addEventListener("click", () => groupBy(button.dataset.group)));
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
  apply();
})();
