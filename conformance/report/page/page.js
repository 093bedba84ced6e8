// Puts the page together, and hears its keys.
import { element } from './data.js';
import { controls, counts } from './filters.js';
import { head, turn } from './head.js';
import { list, reveal, showRules, step, total } from './rules.js';
import { chapters, comparison, expectations, findings, missing } from './tables.js';

const keys = { '/': () => document.getElementById('search').focus(), j: () => step(1), k: () => step(-1), t: turn };

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') document.activeElement?.blur();
  if (['INPUT', 'SELECT'].includes(event.target.tagName) || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// On paper nothing can be opened any more.
addEventListener('beforeprint', () => {
  for (const details of list.querySelectorAll('details.fail, details.stale, details.error')) {
    // By itself this comes too late, and what is told of the rule would be missing.
    details.dispatchEvent(new Event('toggle'));
    details.open = true;
  }
});

document.body.replaceChildren(
  head(),
  counts(),
  comparison(),
  findings(),
  expectations(),
  missing(),
  chapters(),
  element('h2', {}, 'Rules'),
  controls(),
  total,
  list,
  element(
    'p',
    { class: 'faint' },
    'Keys: / search, j and k go through the rules, Enter opens one, t turns light into dark.',
  ),
);
showRules();
if (location.hash) reveal(decodeURIComponent(location.hash.slice(1)));
