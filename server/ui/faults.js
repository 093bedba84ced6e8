// Faults to click, and what they did.

import { again, read, send } from './api.js';
import { $, element, when } from './dom.js';

const path = '/touchstone/faults';
const lookEvery = 500;

const faults = [
  ['Expire history', { fault: 'expire' }],
  ['End watches', { fault: 'endWatches' }],
  ['Cut watches', { fault: 'cutWatches' }],
  ['Freeze watches', { fault: 'freezeWatches' }],
  ['Thaw watches', { fault: 'thawWatches' }],
  ['429 to the next 10', { fault: 'fail', code: 429, retryAfter: 1, times: 10 }],
  ['500 to the next 5', { fault: 'fail', code: 500, times: 5 }],
  ['Drop the next', { fault: 'drop' }],
  ['Lose the next answer', { fault: 'dropAfter' }],
  ['Delay the next 10 by 1 s', { fault: 'delay', milliseconds: 1000, times: 10 }],
  ['Webhooks out for 10 calls', { fault: 'webhookOutage', times: 10 }],
  ['An hour later', { fault: 'advanceClock', by: '1h' }],
];

/** What stays the same is left alone: somebody may be reading it. */
function list(id, lines) {
  const told = lines.length > 0 ? lines.slice(0, 200) : ['Nothing.'];
  if ($(id).textContent !== told.join('')) $(id).replaceChildren(...told.map((line) => element('li', '', line)));
}

function show({ log, waiting }) {
  list(
    'fault-waiting',
    waiting.map((fault) => JSON.stringify(fault)),
  );
  list(
    'fault-log',
    log.toReversed().map(({ at, fault, request = '' }) => `${when(Date.parse(at))} ${fault} ${request}`.trim()),
  );
}

function button(text, act) {
  const made = element('button', '', text);
  made.addEventListener('click', async () => {
    try {
      show(await act());
      $('fault-told').textContent = `${text}: done.`;
    } catch (error) {
      $('fault-told').textContent = `${text}: ${error.message}`;
    }
  });
  return made;
}

/** Shows what was done until the signal, where there are faults at all. */
export async function showFaults(signal, trouble) {
  const hasFaults = await read(path).then(
    () => true,
    () => false,
  );
  $('no-faults').hidden = hasFaults;
  $('faults-done').hidden = !hasFaults;
  if (!hasFaults) return;
  $('fault-buttons').replaceChildren(
    ...faults.map(([text, fault]) => button(text, () => send('POST', path, fault))),
    button('Take all back', () => send('DELETE', path)),
  );
  void again(lookEvery, signal, trouble, async () => {
    if (!$('faults').hidden) show(await read(path));
    trouble();
  });
}
