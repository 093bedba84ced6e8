// What the scripts of the report page share: they show what stands in the page as data, and ask nobody for anything.
export const { reports } = JSON.parse(document.getElementById('data').textContent);
export const verdicts = ['fail', 'error', 'warn', 'skipped', 'pass'];
export const [report] = reports;
// What was known to be broken is no failure of the run, and what is kept against all expectation is one.
export const marks = ['fail', 'stale', 'error', 'known', 'warn', 'skipped', 'pass'].filter(
  (mark) => verdicts.includes(mark) || report.results.some((one) => one.mark === mark),
);
export const shown = { marks: new Set(marks), chapter: '', level: '', search: '' };

/** An element with these attributes and children; text is always text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
}

export const countOf = (results, mark) => results.filter((one) => one.mark === mark).length;
export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
