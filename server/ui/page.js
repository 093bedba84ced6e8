import { findToken, follow, kinds, read, send, useToken } from './api.js';
import { Grid } from './grid.js';
import { linesOf } from './yaml.js';

const $ = (id) => document.getElementById(id);
const time = (milliseconds) => new Date(milliseconds).toLocaleTimeString([], { hour12: false });
const lookEvery = 500;

function state(kind, text) {
  $('state').dataset.state = kind;
  $('state').textContent = text;
}

// Objects.

const collection = {
  objects: new Map(),
  ids: [],
  stale: true,
  ending: new AbortController(),
  opened: undefined,
  drawing: false,
};

const objectGrid = new Grid(
  $('object-grid'),
  'Objects',
  [
    { title: 'Namespace', of: ({ object }) => object.metadata.namespace ?? '', width: '28%', classes: 'faint' },
    { title: 'Name', of: ({ object }) => object.metadata.name, classes: 'wide' },
    { title: 'Version', of: ({ object }) => object.metadata.resourceVersion, width: '70px', classes: 'faint spare' },
    {
      title: 'Made',
      of: ({ object }) => time(Date.parse(object.metadata.creationTimestamp)),
      width: '70px',
      classes: 'faint',
    },
  ],
  ({ id }) => open(id),
);

function drawSoon() {
  if (collection.drawing) return;
  collection.drawing = true;
  requestAnimationFrame(() => {
    collection.drawing = false;
    draw();
  });
}

function draw() {
  const { objects } = collection;
  if (collection.stale) collection.ids = [...objects.keys()].sort();
  collection.stale = false;
  const wanted = $('filter').value.toLowerCase();
  const ids = wanted ? collection.ids.filter((id) => id.toLowerCase().includes(wanted)) : collection.ids;
  objectGrid.show(ids.map((id) => ({ id, object: objects.get(id) })));
  $('count').textContent = ids.length === objects.size ? `${ids.length}` : `${ids.length} of ${objects.size}`;
}

function open(id) {
  collection.opened = id;
  const object = collection.objects.get(id);
  const colours = new Map();
  const colourOf = (owner) => {
    if (!colours.has(owner)) colours.set(owner, `hsl(${(colours.size * 137) % 360} 60% 50%)`);
    return colours.get(owner);
  };
  const yaml = document.createElement('div');
  yaml.className = 'yaml';
  for (const { text, owners } of object ? linesOf(object) : [{ text: '# deleted', owners: [] }]) {
    const line = document.createElement('div');
    const owner = document.createElement('span');
    owner.className = 'owner';
    owner.textContent = owner.title = owners.join(', ');
    if (owners[0]) owner.style.borderColor = colourOf(owners[0]);
    const shown = document.createElement('span');
    shown.className = 'text';
    shown.textContent = text;
    line.append(owner, shown);
    yaml.append(line);
  }
  $('detail').replaceChildren(yaml);
}

function showKind(path) {
  collection.ending.abort();
  collection.ending = new AbortController();
  collection.opened = undefined;
  void follow(path, collection.ending.signal, {
    state,
    listed(objects) {
      collection.objects = objects;
      collection.stale = true;
      drawSoon();
      if (collection.opened) open(collection.opened);
    },
    changed(id, object) {
      if (object ? !collection.objects.has(id) : true) collection.stale = true;
      if (object) collection.objects.set(id, object);
      else collection.objects.delete(id);
      drawSoon();
      if (id === collection.opened) open(id);
    },
  });
}

async function fillKinds() {
  const all = (await kinds()).sort((a, b) => a.kind.localeCompare(b.kind));
  const before = $('kind').value;
  $('kind').replaceChildren(
    ...all.map(({ kind, path }) => new Option(`${kind}  ${path.split('/').slice(2, -1).join('/')}`, path)),
  );
  $('kind').value = before || all.find(({ path }) => path === '/api/v1/namespaces')?.path || all[0]?.path;
}

// Events.

const heard = new Map();
const eventGrid = new Grid($('event-grid'), 'Events', [
  { title: 'When', of: ({ at }) => time(at), width: '70px', classes: 'faint' },
  {
    title: 'Type',
    of: ({ event }) => event.type ?? '',
    width: '70px',
    tone: ({ event }) => (event.type === 'Warning' ? 'bad' : ''),
  },
  { title: 'Reason', of: ({ event }) => event.reason ?? '', width: '130px' },
  {
    title: 'About',
    of: ({ event }) => `${event.regarding?.kind}/${event.regarding?.name}`,
    width: '200px',
    classes: 'spare',
  },
  { title: 'Note', of: ({ event }) => event.note ?? '', classes: 'wide' },
]);
let eventsDrawing = false;

function drawEvents() {
  if (eventsDrawing) return;
  eventsDrawing = true;
  setTimeout(() => {
    eventsDrawing = false;
    const rows = [...heard].map(([id, event]) => ({
      id,
      event,
      at: Date.parse(event.series?.lastObservedTime ?? event.eventTime ?? event.metadata.creationTimestamp),
    }));
    eventGrid.show(rows.sort((a, b) => b.at - a.at));
  }, 200);
}

const followEvents = () =>
  follow('/apis/events.k8s.io/v1/events', new AbortController().signal, {
    state: () => {},
    listed(objects) {
      heard.clear();
      for (const [id, event] of objects) heard.set(id, event);
      drawEvents();
    },
    changed(id, event) {
      if (event) heard.set(id, event);
      else heard.delete(id);
      drawEvents();
    },
  });

// Requests and watches.

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const requestGrid = new Grid(
  $('request-grid'),
  'Requests',
  [
    { title: 'When', of: ({ at }) => time(at), width: '70px', classes: 'faint' },
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
    { title: 'ms', of: ({ milliseconds }) => String(Math.round(milliseconds)), width: '50px', classes: 'faint' },
  ],
  ({ method, url }) => {
    $('curl').textContent =
      `curl --cacert ca.crt -H "Authorization: Bearer $TOKEN" -X ${method} ${quoted(location.origin + url)}`;
    $('copy').disabled = false;
  },
);
const watchGrid = new Grid($('watch-grid'), 'Open watches', [
  { title: 'Since', of: ({ at }) => time(at), width: '70px', classes: 'faint' },
  { title: 'Path', of: ({ url }) => url, classes: 'wide' },
  { title: 'User', of: ({ user }) => user, width: '160px', classes: 'faint spare' },
  { title: 'Agent', of: ({ userAgent }) => userAgent, width: '160px', classes: 'faint spare' },
  {
    title: 'Unread',
    of: ({ unread }) => `${unread} B`,
    width: '80px',
    tone: ({ unread }) => (unread > 65_536 ? 'bad' : ''),
  },
]);

async function look() {
  const { requests, watches } = await read('/touchstone/activity');
  const wanted = $('request-filter').value.toLowerCase();
  const told = ({ url, user, userAgent, code, verb }) => `${url} ${user} ${userAgent} ${code} ${verb}`.toLowerCase();
  const others = requests.filter(({ url }) => url !== '/touchstone/activity' && url !== '/touchstone/faults');
  requestGrid.show(others.filter((request) => told(request).includes(wanted)).reverse());
  watchGrid.show(watches);
}

// Faults.

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

function showFaults({ log, waiting }) {
  const lines = [
    ...waiting.map((fault) => `waiting  ${JSON.stringify(fault)}`),
    ...log.toReversed().map(({ at, fault, request = '' }) => `${at.slice(11, 19)}  ${fault}  ${request}`),
  ];
  $('fault-log').replaceChildren(
    ...lines.slice(0, 200).map((line) => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
}

function button(text, act) {
  const made = document.createElement('button');
  made.textContent = text;
  made.addEventListener('click', () => act().then(showFaults, (error) => state('bad', error.message)));
  return made;
}

const path = '/touchstone/faults';
const fillFaults = () =>
  read(path).then(
    (told) => {
      $('fault-buttons').replaceChildren(
        ...faults.map(([text, fault]) => button(text, () => send('POST', path, fault))),
        button('Take all back', () => send('DELETE', path)),
      );
      showFaults(told);
    },
    () => {
      $('no-faults').hidden = false;
    },
  );

// The page as a whole.

const tabs = [...document.querySelectorAll('[role=tab]')];

function choose(tab) {
  for (const each of tabs) {
    const isChosen = each === tab;
    each.setAttribute('aria-selected', String(isChosen));
    each.tabIndex = isChosen ? 0 : -1;
    $(each.getAttribute('aria-controls')).hidden = !isChosen;
  }
  if (tab.id === 'tab-faults') void fillFaults();
}

for (const tab of tabs) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}

// It scrolls, so the keyboard has to reach it.
$('detail').tabIndex = 0;
$('kind').addEventListener('change', ({ target }) => showKind(target.value));
$('kind').addEventListener('focus', () => void fillKinds().catch(() => {}));
$('filter').addEventListener('input', drawSoon);
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('curl').textContent);
  $('copy').textContent = 'Copied';
  setTimeout(() => {
    $('copy').textContent = 'Copy';
  }, 1500);
});
$('login').addEventListener('submit', (event) => {
  event.preventDefault();
  useToken($('token').value.trim());
  void start();
});

async function start() {
  try {
    const { gitVersion } = await read('/version');
    await fillKinds();
    $('server').textContent = `${location.origin}  ${gitVersion}`;
    $('login').hidden = true;
    showKind($('kind').value);
    void followEvents();
    setInterval(() => void look().catch((error) => state('bad', error.message)), lookEvery);
  } catch (error) {
    state('bad', error.status === 401 || error.status === 403 ? 'not logged in' : error.message);
    $('login').hidden = false;
    $('token').focus();
  }
}

if (findToken()) void start();
else {
  state('bad', 'not logged in');
  $('login').hidden = false;
  $('token').focus();
}
