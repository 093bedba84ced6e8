import { badRequest, expired, versionTooLarge } from '../base/status-error.ts';
import { InvalidTokenError, type Position } from '../store/continue-token.ts';
import { CompactedError, FutureRevisionError, type Stored } from '../store/store.ts';
import type { Call } from './call.ts';
import type { ListRequest } from './list-options.ts';
import { computed } from './read.ts';
import { keyOf, prefixOf, view, viewNow } from './resource.ts';
import { waitForVersion } from './version-wait.ts';

/** One page of a list (or all of it), in the request's version. */
export interface ListPage {
  readonly items: readonly Stored[];
  readonly revision: number;
  /** Missing on the last page. */
  readonly token?: string;
  /** Items after this page; only known when nothing was filtered. */
  readonly remaining?: number;
}

/** How many objects are looked at in one go while a selector fills a page. */
const chunk = 500;

/**
 * Lists objects by the tables of rules `lists.rv.*`: newest, exactly at a version, or where a token goes on.
 * @throws 400 bad token, 410 version no longer held, 504 version not reached
 */
export async function list(call: Call, asked: ListRequest): Promise<ListPage> {
  const { services } = call;
  if (call.resource.rules.computed) return computedPage(call, asked);
  // Without the gate lists come whole, whatever is asked (rule `lists.paging.feature-gate`).
  const request = services.features.enabled('APIListChunking') ? asked : { ...asked, limit: 0, token: undefined };
  const position = request.token ? decodeToken(call, request.token) : undefined;
  const exact = position?.revision ?? exactVersion(request);
  if (exact === undefined && request.version > 0) await reach(call, request);
  try {
    const page = await collect(call, request, exact, position?.after);
    return await inServedVersion(call, page, asked.any ? view : viewNow);
  } catch (error) {
    // A token of a version to come is of a state that is gone, as after a backup was put back.
    const isFuture = error instanceof FutureRevisionError;
    if (isFuture && !position) throw versionTooLarge(request.version, error.current);
    if (!isFuture && !(error instanceof CompactedError)) throw error;
    if (!position) throw expired(`The resourceVersion for the provided list is too old.`);
    const fresh = services.tokens.encode({ after: position.after });
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      fresh,
    );
  }
}

async function computedPage(call: Call, { selection }: ListRequest): Promise<ListPage> {
  const [items, revision] = await Promise.all([computed(call), call.services.store.currentRevision()]);
  return { items: items.filter(selection.matches), revision };
}

/** A version that must be shown as it was; undefined when the newest state will do. */
function exactVersion({ version, match, limit }: ListRequest): number | undefined {
  if (match === 'Exact') return version;
  return match === '' && limit > 0 && version > 0 ? version : undefined;
}

async function reach({ services, resource }: Call, { version, match, limit }: ListRequest): Promise<void> {
  if (match === '' || limit === 0) return waitForVersion(services, version, resource);
  const current = await services.store.currentRevision();
  if (version > current) throw versionTooLarge(version, current);
}

function decodeToken({ services }: Call, token: string): Position {
  try {
    return services.tokens.decode(token);
  } catch (error) {
    if (error instanceof InvalidTokenError) throw badRequest(`continue key is not valid: ${error.message}`);
    throw error;
  }
}

async function collect(
  call: Call,
  { limit, selection, any }: ListRequest,
  revision: number | undefined,
  after: string | undefined,
): Promise<ListPage> {
  const { resource, services } = call;
  const prefix = prefixOf(resource, call.namespace);
  const from = after === undefined ? undefined : resource.prefix + after;
  const at = { any, ...(revision !== undefined && { revision }), ...(from !== undefined && { after: from }) };
  if (selection.everything) {
    const { items, revision: shown, remaining } = await services.store.list(prefix, { ...at, limit });
    return { items, revision: shown, ...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) }) };
  }
  const single = selection.name && (call.namespace || !resource.namespaced);
  if (single) return one(call, selection.name ?? '', selection.matches, at.revision, from);
  if (limit === 0) {
    const { items, revision: shown } = await services.store.list(prefix, at);
    return { items: items.filter(selection.matches), revision: shown };
  }
  return fill(call, prefix, limit, selection.matches, at);
}

/** Fills a page with matches; a token is given when objects are left, whether they match or not. */
async function fill(
  call: Call,
  prefix: string,
  limit: number,
  matches: (stored: Stored) => boolean,
  start: { revision?: number; after?: string; any: boolean },
): Promise<ListPage> {
  const found: Stored[] = [];
  let at = start;
  for (;;) {
    const { items, revision, remaining } = await call.services.store.list(prefix, {
      ...at,
      limit: Math.max(chunk, limit),
    });
    for (const [i, stored] of items.entries()) {
      if (!matches(stored)) continue;
      found.push(stored);
      if (found.length < limit) continue;
      const left = remaining + items.length - i - 1;
      return { items: found, revision, ...(left > 0 && { token: tokenAfter(call, found, revision) }) };
    }
    const last = items.at(-1);
    if (remaining === 0 || !last) return { items: found, revision };
    at = { ...start, revision, after: last.key };
  }
}

async function one(
  call: Call,
  name: string,
  matches: (stored: Stored) => boolean,
  revision: number | undefined,
  after: string | undefined,
): Promise<ListPage> {
  const key = keyOf(call.resource, call.namespace, name);
  const { items, revision: shown } = await call.services.store.list(key, revision === undefined ? {} : { revision });
  const hit = items.filter((stored) => stored.key === key && (after === undefined || key > after) && matches(stored));
  return { items: hit, revision: shown };
}

function tokenAfter({ resource, services }: Call, items: readonly Stored[], revision: number): string {
  const last = items.at(-1)?.key ?? resource.prefix;
  return services.tokens.encode({ revision, after: last.slice(resource.prefix.length) });
}

async function inServedVersion({ resource }: Call, page: ListPage, shown: typeof view): Promise<ListPage> {
  if (!resource.served.conversion) return page;
  return { ...page, items: await Promise.all(page.items.map((stored) => shown(resource, stored))) };
}
