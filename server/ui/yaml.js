// An object as YAML, with who owns each field beside it.

/** Of managed fields: the managers of each path, as JSON of its steps. */
export function ownersOf({ metadata: { managedFields = [] } = {} }) {
  const owners = new Map();
  for (const { manager, operation, subresource, fieldsV1 = {} } of managedFields) {
    const name = `${manager}${operation === 'Apply' ? '' : ' (update)'}${subresource ? ` /${subresource}` : ''}`;
    walk(fieldsV1, [], (path) => {
      const key = JSON.stringify(path);
      owners.set(key, [...(owners.get(key) ?? []), name]);
    });
  }
  return owners;
}

function walk(fields, path, tell) {
  for (const [step, below] of Object.entries(fields)) {
    if (step === '.') {
      tell(path);
      continue;
    }
    const next = [...path, step];
    if (Object.keys(below).length === 0) tell(next);
    else walk(below, next, tell);
  }
}

/** Whether a step of managed fields, `k:{…}` or `v:…`, means this item of a list. */
function means(step, item) {
  const wanted = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return wanted === item;
  return Object.entries(wanted).every(([key, value]) => item?.[key] === value);
}

const plain = /^[A-Za-z_][\w ./-]*$/;
const words = /^(?:true|false|null|yes|no|on|off|~)$/i;

const scalar = (value) =>
  typeof value === 'string' && plain.test(value) && !words.test(value) && !value.endsWith(' ')
    ? value
    : JSON.stringify(value);

/** Lines, each with its text and the managers of the field that it shows. */
export function linesOf(object, owners = ownersOf(object)) {
  const steps = [...owners.keys()].map((key) => JSON.parse(key));
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  const lines = [];
  const add = (text, path) => lines.push({ text, owners: owners.get(JSON.stringify(path)) ?? [] });
  const stepOf = (path, item) =>
    steps.find(
      (each) =>
        each.length > path.length &&
        path.every((step, at) => each[at] === step) &&
        /^[kv]:/.test(each[path.length]) &&
        means(each[path.length], item),
    )?.[path.length] ?? '';
  const put = (value, path, indent, lead) => {
    if (value === null || typeof value !== 'object') return add(`${lead} ${scalar(value)}`, path);
    const entries = Array.isArray(value) ? value : Object.entries(value);
    if (entries.length === 0) return add(`${lead} ${Array.isArray(value) ? '[]' : '{}'}`, path);
    if (lead.trim()) add(lead, path);
    if (Array.isArray(value)) for (const item of value) putItem(item, [...path, stepOf(path, item)], indent);
    else
      for (const [key, below] of entries) put(below, [...path, `f:${key}`], `${indent}  `, `${indent}${scalar(key)}:`);
  };
  const putItem = (item, path, indent) => {
    const before = lines.length;
    if (item !== null && typeof item === 'object') put(item, path, `${indent}  `, '');
    else add(`${indent}  ${scalar(item)}`, path);
    const first = lines[before];
    if (first) first.text = `${indent}- ${first.text.slice(indent.length + 2)}`;
  };
  put({ ...object, metadata }, [], '', '');
  return lines;
}
