// Who calls: the latest requests, each as curl, and the watches that are open.

import { again, read } from './api.js';
import { $, when } from './dom.js';
import { Grid } from './grid.js';

const lookEvery = 500;
let activity = { requests: [], watches: [] };

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a command; its body is not known, and stands in a file. */
function curlOf({ method, verb, url, contentType }) {
  const options = ['--cacert ca.crt', '-H "Authorization: Bearer $TOKEN"'];
  if (verb === 'watch') options.push('--no-buffer');
  if (method === 'HEAD') options.push('--head');
  else if (method !== 'GET') options.push(`-X ${method}`);
  if (['POST', 'PUT', 'PATCH'].includes(method))
    options.push(`-H ${quoted(`Content-Type: ${contentType || 'application/json'}`)} --data-binary @body`);
  return `curl ${options.join(' ')} ${quoted(location.origin + url)}`;
}

const caller = ({ user, userAgent }) => [user, userAgent].filter(Boolean).join(', ');

const requestGrid = new Grid(
  $('request-grid'),
  'Requests',
  [
    { title: 'When', of: ({ at }) => when(at), width: '95px', classes: 'faint spare' },
    {
      title: 'Code',
      of: ({ code }) => String(code || '—'),
      width: '40px',
      tone: ({ code }) => (code >= 400 || !code ? 'bad' : 'good'),
    },
    { title: 'Verb', of: ({ verb }) => verb, width: '70px' },
    { title: 'Path', of: ({ url }) => url, classes: 'wide' },
    { title: 'User', of: ({ user }) => user, width: '150px', classes: 'faint spare' },
    { title: 'Agent', of: ({ userAgent }) => userAgent, width: '150px', classes: 'faint spare' },
    { title: 'ms', of: ({ milliseconds }) => String(Math.round(milliseconds)), width: '50px', classes: 'faint number' },
  ],
  (request) => {
    const { at, code, milliseconds } = request;
    const outcome = code ? `${code} after ${Math.round(milliseconds)} ms` : 'left without an answer';
    $('request-told').textContent = `${when(at)}, ${outcome}: ${caller(request)}`;
    $('curl').textContent = curlOf(request);
    $('as-curl').hidden = false;
  },
);

const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);

/** What a watch's client has yet to be told. */
function behindOf({ behind: { changes, bytes } }) {
  if (changes + bytes === 0) return 'up to date';
  return [changes > 0 ? `${changes} changes` : '', sizeOf(bytes)].filter(Boolean).join(', ');
}

const watchGrid = new Grid(
  $('watch-grid'),
  'Open watches',
  [
    { title: 'Since', of: ({ at }) => when(at), width: '95px', classes: 'faint spare' },
    { title: 'Path', of: ({ url }) => url, classes: 'wide' },
    { title: 'User', of: ({ user }) => user, width: '160px', classes: 'faint spare' },
    { title: 'Agent', of: ({ userAgent }) => userAgent, width: '160px', classes: 'faint spare' },
    {
      title: 'Behind',
      of: behindOf,
      width: '150px',
      tone: ({ behind: { changes, bytes } }) => (changes + bytes > 0 ? 'bad' : ''),
    },
  ],
  (watch) => {
    $('watch-told').textContent = `${watch.url}: ${caller(watch)}, since ${when(watch.at)}, ${behindOf(watch)}`;
  },
);

function draw() {
  const wanted = $('request-filter').value.toLowerCase();
  const told = ({ url, user, userAgent, code, verb }) => `${url} ${user} ${userAgent} ${code} ${verb}`.toLowerCase();
  const others = activity.requests.filter(({ url }) => url !== '/touchstone/activity' && url !== '/touchstone/faults');
  const rows = others.filter((request) => told(request).includes(wanted)).reverse();
  requestGrid.show(rows, wanted ? 'No request has this in it.' : 'Nobody has asked for anything.');
  watchGrid.show(activity.watches, 'No watch is open.');
}

/** Shows what goes on until the signal. */
export function showActivity(signal, trouble) {
  void again(lookEvery, signal, trouble, async () => {
    activity = await read('/touchstone/activity');
    trouble();
    draw();
  });
}

$('request-filter').addEventListener('input', draw);
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('curl').textContent);
  $('request-told').textContent = 'Copied.';
});
