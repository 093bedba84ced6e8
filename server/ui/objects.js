// Objects of a kind, live, and the chosen one as YAML with who owns each field.

import { follow, kinds } from './api.js';
import { $, element, when } from './dom.js';
import { Grid } from './grid.js';
import { linesOf } from './yaml.js';

/** What is shown: the objects by id, and in which order; the id that is opened, and whether it is to be drawn. */
const shown = { objects: new Map(), ids: [], isSorted: false, opened: undefined, isNew: false, isDrawing: false };
let session;
let ending = new AbortController();

const grid = new Grid(
  $('object-grid'),
  'Objects',
  [
    { title: 'Namespace', of: ({ object }) => object.metadata.namespace ?? '', width: '28%', classes: 'faint' },
    { title: 'Name', of: ({ object }) => object.metadata.name, classes: 'wide' },
    { title: 'Version', of: ({ object }) => object.metadata.resourceVersion, width: '70px', classes: 'faint spare' },
    {
      title: 'Made',
      of: ({ object }) => when(Date.parse(object.metadata.creationTimestamp)),
      width: '95px',
      classes: 'faint spare',
    },
  ],
  ({ id }, byKey) => {
    shown.opened = id;
    shown.isNew = true;
    drawSoon();
    if (byKey) $('detail').focus();
  },
);

function drawSoon() {
  if (shown.isDrawing) return;
  shown.isDrawing = true;
  requestAnimationFrame(() => {
    shown.isDrawing = false;
    draw();
    if (shown.isNew) drawDetail();
    shown.isNew = false;
  });
}

function draw() {
  const { objects } = shown;
  if (!shown.isSorted) shown.ids = [...objects.keys()].sort();
  shown.isSorted = true;
  const wanted = $('filter').value.toLowerCase();
  const ids = wanted ? shown.ids.filter((id) => id.toLowerCase().includes(wanted)) : shown.ids;
  grid.show(
    ids.map((id) => ({ id, object: objects.get(id) })),
    objects.size > 0 ? 'No object has this in its name.' : 'There are no objects of this kind.',
  );
  $('count').textContent = ids.length === objects.size ? `${ids.length}` : `${ids.length} of ${objects.size}`;
}

const hint = 'Choose an object: arrow keys, Enter. Escape leads back to the list.';

function drawDetail() {
  const { objects, opened } = shown;
  const object = objects.get(opened);
  $('detail').setAttribute('aria-label', opened ?? 'The chosen object');
  if (opened === undefined) $('detail').replaceChildren(element('p', 'hint', hint));
  else if (object) $('detail').replaceChildren(element('h2', '', opened), ...yamlOf(linesOf(object)));
  else $('detail').replaceChildren(element('h2', '', opened), element('p', 'hint', 'It was deleted.'));
}

/** The managers, each with a colour, and the lines, each beside those who own it; they are named where they begin. */
function yamlOf(lines) {
  const names = [...new Set(lines.flatMap(({ owners }) => owners))];
  const colourOf = (owner) => `hsl(${(names.indexOf(owner) * 137) % 360} 60% 50%)`;
  const legend = element('p', 'legend', names.length > 0 ? 'Fields are owned by' : 'No field has an owner.');
  for (const name of names) {
    const told = element('span', 'manager', name);
    told.style.borderColor = colourOf(name);
    legend.append(' ', told);
  }
  const yaml = element('div', 'yaml');
  let before = '';
  for (const { text, owners } of lines) {
    const names = owners.join(', ');
    const owner = element('span', 'owner', names === before ? '' : names);
    owner.title = before = names;
    if (owners[0]) owner.style.borderColor = colourOf(owners[0]);
    const shown = element('span', 'text', text);
    // What does not fit goes on further in than where it began.
    const indent = text.search(/[^ -]/) + 2;
    shown.style.paddingLeft = `${indent}ch`;
    shown.style.textIndent = `-${indent}ch`;
    const line = element('div', '');
    line.append(owner, shown);
    yaml.append(line);
  }
  return [legend, yaml];
}

function show(path) {
  ending.abort();
  ending = new AbortController();
  Object.assign(shown, { objects: new Map(), isSorted: false, opened: undefined, isNew: true });
  drawSoon();
  void follow(path, AbortSignal.any([session.signal, ending.signal]), {
    trouble: session.trouble,
    listed(objects) {
      Object.assign(shown, { objects, isSorted: false, isNew: true });
      drawSoon();
    },
    changed(id, object) {
      if (!object || !shown.objects.has(id)) shown.isSorted = false;
      if (object) shown.objects.set(id, object);
      else shown.objects.delete(id);
      if (id === shown.opened) shown.isNew = true;
      drawSoon();
    },
  });
}

let offered = '';

/** The kinds to choose from; those of custom resources come and go. */
async function fillKinds() {
  const all = (await kinds()).sort((a, b) => a.kind.localeCompare(b.kind));
  const paths = all.map(({ path }) => path);
  if (paths.join() === offered) return;
  offered = paths.join();
  const before = $('kind').value;
  $('kind').replaceChildren(
    ...all.map(({ kind, path }) => new Option(`${kind}  ${path.split('/').slice(2, -1).join('/')}`, path)),
  );
  $('kind').value = [before, '/api/v1/namespaces', ...paths].find((path) => paths.includes(path));
}

/** Shows objects until the signal. @param trouble told of what is wrong, or that nothing is */
export async function showObjects(signal, trouble) {
  session = { signal, trouble };
  await fillKinds();
  show($('kind').value);
}

$('kind').addEventListener('change', ({ target }) => show(target.value));
$('kind').addEventListener('focus', () => void fillKinds().catch(() => {}));
$('filter').addEventListener('input', drawSoon);
// It scrolls, so the keyboard has to reach it.
$('detail').tabIndex = 0;
$('detail').addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') $('object-grid').focus();
});
