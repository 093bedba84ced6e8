/** One operation of a JSON Patch (RFC 6902). */
export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

type Parent = Record<string, unknown> | unknown[];

const isParent = (value: unknown): value is Parent => typeof value === 'object' && value !== null;

const partsOf = (path: string): string[] => {
  if (path !== '' && !path.startsWith('/')) throw new Error(`${path} is no JSON pointer`);
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
};

/** The object with the operations done; it is left as it is. @throws Error, naming what cannot be done */
export function patched(object: unknown, operations: readonly Operation[]): unknown {
  const root = { '': structuredClone(object) };
  for (const operation of operations) step(root, operation);
  return root[''];
}

const steps: Readonly<Record<string, (root: Record<string, unknown>, operation: Operation) => void>> = {
  add: (root, { path, value }) => add(root, path, value),
  remove: (root, { path }) => void take(root, path),
  replace(root, { path, value }) {
    take(root, path);
    add(root, path, value);
  },
  move: (root, { path, from = '' }) => add(root, path, take(root, from)),
  copy: (root, { path, from = '' }) => add(root, path, structuredClone(look(root, from))),
  test(root, { path, value }) {
    if (JSON.stringify(look(root, path)) !== JSON.stringify(value)) throw new Error(`test of ${path} fails`);
  },
};

function step(root: Record<string, unknown>, operation: Operation): void {
  const known = Object.hasOwn(steps, operation.op) ? steps[operation.op] : undefined;
  if (!known) throw new Error(`there is no operation ${operation.op}`);
  known(root, operation);
}

function parentOf(root: Record<string, unknown>, path: string): { readonly parent: Parent; readonly key: string } {
  const parts = ['', ...partsOf(path)];
  const key = parts.pop() ?? '';
  let parent: unknown = root;
  for (const part of parts) parent = isParent(parent) ? (parent as Record<string, unknown>)[part] : undefined;
  if (!isParent(parent)) throw new Error(`there is nothing that holds ${path}`);
  return { parent, key };
}

function look(root: Record<string, unknown>, path: string): unknown {
  const { parent, key } = parentOf(root, path);
  if (!Object.hasOwn(parent, key)) throw new Error(`there is no ${path}`);
  return (parent as Record<string, unknown>)[key];
}

function take(root: Record<string, unknown>, path: string): unknown {
  const value = look(root, path);
  const { parent, key } = parentOf(root, path);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return value;
}

function add(root: Record<string, unknown>, path: string, value: unknown): void {
  const { parent, key } = parentOf(root, path);
  if (!Array.isArray(parent)) {
    parent[key] = value;
    return;
  }
  const at = key === '-' ? parent.length : Number(key);
  if (!Number.isInteger(at) || at < 0 || at > parent.length) throw new Error(`${path} is no place in the list`);
  parent.splice(at, 0, value);
}
