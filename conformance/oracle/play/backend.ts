import { type AskedBackend, type BackendAnswer, openBackend } from '../../lab/backend.ts';
import { type Json, jsonOf } from '../../verbs/json.ts';

/** The server of one play that serves a group behind the one that is judged. */
export interface PlayedBackend {
  /** What steps may refer to, by `backend`. */
  readonly place: Json;
  /** What it was asked by the play since this was last looked at. */
  readonly heard: () => Json;
  readonly close: () => void;
}

/** What a request asks to be answered, as JSON of a `BackendAnswer`; what has no such header is not of the play. */
export const wishHeader = 'x-answer';

/** What the group is called, and the Service that leads to its server, in the first namespace of the play. */
export const backendGroup = '<own>.backend.example';
export const backendService = 'backend';

/**
 * Opens it. It says that it has things, which nobody may delete or list: what controllers do with all that there is, they
 * leave alone. @param host at which a server reaches this machine
 */
export async function openPlayedBackend(own: string, host: string): Promise<PlayedBackend> {
  const received: AskedBackend[] = [];
  const group = backendGroup.replace('<own>', own);
  const answer = (asked: AskedBackend): BackendAnswer => {
    const wish = asked.headers[wishHeader]?.[0];
    if (wish === undefined) return discovered(group, asked);
    received.push(asked);
    const { body = echoOf(asked), ...rest } = (jsonOf(wish) ?? { status: 400 }) as BackendAnswer;
    return { body, ...rest };
  };
  const { port, caBundle, close } = await openBackend(answer, { host, service: `${backendService}.${own}-1.svc` });
  return { place: { port, caBundle, host }, heard: () => received.splice(0).map(heardOf), close };
}

function discovered(group: string, { path }: AskedBackend): BackendAnswer {
  if (path.replace(/\/$/, '') !== `/apis/${group}/v1`) return { status: 404, body: '{}' };
  const thing = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] };
  const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources: [thing] };
  return { body: JSON.stringify(list) };
}

const echoOf = ({ method, path, query, body }: AskedBackend): string =>
  JSON.stringify({ kind: 'Thing', metadata: { name: 'echo' }, method, path, query, size: body.length });

/** Of the headers those that are the play's, or say for whom a request is made. What goes on beside, each server chooses. */
function heardOf({ headers, ...asked }: AskedBackend): Json {
  const {
    'x-remote-user': username,
    'x-remote-group': groups,
    authorization,
    'x-forwarded-proto': proto,
    'x-forwarded-uri': uri,
  } = headers;
  const kept = Object.entries(headers).filter(([name]) =>
    /^(x-own-|x-remote-extra-|impersonate-|content-type$|accept$|cookie$)/.test(name),
  );
  return {
    ...asked,
    ...{ username: username?.join(), groups, proto, uri, hasCredentials: authorization !== undefined },
    headers: Object.fromEntries(kept),
  };
}
