// The server as the page sees it: one token, plain HTTP.

let token = '';

/** Takes the token out of the address, where nobody shall see it, or what was kept for this window. */
export function findToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) sessionStorage.setItem('token', given);
  if (location.hash) history.replaceState(null, '', location.pathname);
  token = sessionStorage.getItem('token') ?? '';
  return token !== '';
}

export function useToken(given) {
  sessionStorage.setItem('token', given);
  token = given;
}

export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });
  if (answer.ok) return answer;
  const { message = answer.statusText } = await answer.json().catch(() => ({}));
  throw new HttpError(answer.status, message);
}

export const read = async (path) => (await ask(path)).json();

export const send = async (method, path, body) =>
  (await ask(path, { method, ...(body && { body: JSON.stringify(body) }) })).json();

/** Every kind that can be listed and watched, in the preferred version of its group. */
export async function kinds() {
  const { groups } = await read('/apis');
  const versions = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const lists = await Promise.all(versions.map((path) => read(path).catch(() => ({ resources: [] }))));
  return lists.flatMap(({ resources }, index) =>
    resources
      .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('watch') && verbs.includes('list'))
      .map(({ name, kind }) => ({ name, kind, path: `${versions[index]}/${name}` })),
  );
}

const idOf = ({ metadata: { namespace, name } }) => (namespace ? `${namespace}/${name}` : name);

/**
 * Keeps a copy of a collection by list and watch, until the signal. Tells of the whole list, then of each change.
 * An end, a broken connection and an old version are met by a new list.
 */
export async function follow(path, signal, { listed, changed, state }) {
  while (!signal.aborted) {
    try {
      const { items, metadata } = await read(`${path}?limit=0`);
      if (signal.aborted) return;
      listed(new Map(items.map((item) => [idOf(item), item])));
      state('good', 'live');
      await watch(
        `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}`,
        signal,
        changed,
      );
    } catch (error) {
      if (signal.aborted) return;
      state('bad', error.message);
      if (error.status === 401) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function watch(path, signal, changed) {
  const { body } = await ask(path, { signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { type, object } = JSON.parse(line);
      if (type === 'ERROR') throw new HttpError(object.code, object.message);
      if (type !== 'BOOKMARK') changed(idOf(object), type === 'DELETED' ? undefined : object);
    }
  }
}
