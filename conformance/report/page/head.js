// What is judged, and how it went as a whole.
import { countOf, element, marks, plural, report } from './data.js';

export function head() {
  const cells = report.results.reduce(
    (sum, { cells, verdict }) => sum + (verdict === 'skipped' ? 0 : (cells?.judged ?? 1)),
    0,
  );
  const claim = report.profiles.length > 0 ? `claims ${report.profiles.join(', ')}` : 'nothing claimed';
  // Only servers have versions and claims.
  const server = report.version ? `${report.version} · ${claim} · ` : '';
  const facts = `${server}${plural(report.results.length, 'rule')}, ${plural(cells, 'cell')} · ${new Date(report.startedAt).toUTCString()} · ${(report.milliseconds / 1000).toFixed(1)} s`;
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'top' },
      element('div', {}, element('h1', {}, `Conformance of ${report.target}`), element('p', { class: 'faint' }, facts)),
      element('button', { type: 'button', onclick: turn, title: 'Light or dark (t)' }, 'Light / dark'),
    ),
    bar(report.results),
  );
}

function bar(results) {
  const parts = marks.map((mark) => {
    const count = countOf(results, mark);
    return element('span', { class: mark, style: `flex: ${count}`, title: `${count} ${mark}` });
  });
  const label = marks.map((mark) => `${countOf(results, mark)} ${mark}`).join(', ');
  return element('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

export function turn() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}
