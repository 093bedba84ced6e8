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
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  const answer = await fetch(path, { ...options, headers }).catch(() => {
    throw new HttpError(0, 'the server does not answer');
  });
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
 * Keeps a copy of a collection by list and watch, until the signal. Tells of the whole list, then of each change, and
 * of trouble (without any: that there is none). An end, a broken connection and an old version are met by a new list.
 */
export const follow = (path, signal, { listed, changed, trouble }) =>
  again(500, signal, trouble, async () => {
    const { items, metadata } = await read(path);
    if (signal.aborted) return;
    listed(new Map(items.map((item) => [idOf(item), item])));
    trouble();
    await watch(
      `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}`,
      signal,
      changed,
    );
  });

/** Does something again and again, so many milliseconds after it was done, until the signal. */
export async function again(milliseconds, signal, trouble, act) {
  while (!signal.aborted) {
    await act().catch((error) => {
      // History that is forgotten is read anew.
      if (!signal.aborted && error.status !== 410) trouble(error);
    });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
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
