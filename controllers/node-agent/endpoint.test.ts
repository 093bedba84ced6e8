import { once } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authority, makeAuthority, makeServing } from '../certificates/authority.ts';
import { makeRequest } from '../certificates/make-request.ts';
import { readRequest } from '../certificates/request.ts';
import { sign } from '../certificates/sign.ts';
import { silentLog } from '../runtime/log.ts';
import { Refusal } from './container-runtime.ts';
import { openEndpoint } from './endpoint.ts';

const hour = 3_600_000;
const now = Date.now();

/** A certificate that this one vouches for. */
async function vouchedForBy(authority: Authority): Promise<Authority> {
  const made = await makeRequest({ commonName: 'client', organization: 'clients' }, []);
  const read = await readRequest({ spec: { request: Buffer.from(made.request).toString('base64') } } as never);
  const terms = { usages: ['client auth'], notBefore: now - hour, notAfter: now + hour, withAlternativeNames: false };
  return { certificate: await sign(authority, read, terms), key: made.key };
}

const stranger = await makeAuthority('authority', now - hour, 2 * hour);
const known = {
  authority: await makeAuthority('authority', now - hour, 2 * hour),
  listed: await makeServing(['listed'], now - hour, 2 * hour),
  over: await makeServing(['over'], now - 2 * hour, hour),
  early: await makeServing(['early'], now + hour, hour),
};
const shown: Readonly<Record<string, Authority | undefined>> = {
  ...known,
  signed: await vouchedForBy(known.authority),
  signedByListed: await vouchedForBy(known.listed),
  stranger: await makeServing(['listed'], now - hour, 2 * hour),
  strangersAuthority: await vouchedForBy(stranger),
  forged: await vouchedForBy({ ...known.authority, key: stranger.key }),
  nothing: undefined,
};

const ending = new AbortController();
let port: number;
beforeAll(async () => {
  port = await openEndpoint({
    clientAuthority: Object.values(known)
      .map(({ certificate }) => certificate)
      .join(''),
    serving: await makeServing(['127.0.0.1'], now - hour, 2 * hour),
    handlers: {
      async request({ url }, response) {
        if (url === '/refused') throw new Refusal(404, 'there is nothing');
        if (url === '/broken') throw new Error('a mistake');
        response.end('hello');
      },
      upgrade: () => Promise.reject(new Refusal(400, 'no')),
      connect: () => Promise.reject(new Refusal(502, 'nobody')),
    },
    log: silentLog,
    signal: ending.signal,
  });
});
afterAll(() => ending.abort());

async function ask(path: string, client: Authority | undefined) {
  const own = client && { cert: client.certificate, key: client.key };
  const asked = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false, ...own }).end();
  const [response] = await once(asked, 'response');
  return `${response.statusCode} ${await text(response)}`;
}

test.each([
  ['is one of those that are let in', 'listed', '200 hello'],
  ['is signed by an authority among them', 'signed', '200 hello'],
  ['is signed by one that is no authority', 'signedByListed', '401 Unauthorized'],
  ['has run out', 'over', '401 Unauthorized'],
  ['is not good yet', 'early', '401 Unauthorized'],
  ['has the name of one of them alone', 'stranger', '401 Unauthorized'],
  ['is signed by one of the name of an authority', 'strangersAuthority', '401 Unauthorized'],
  ['says that an authority among them has signed it', 'forged', '401 Unauthorized'],
  ['is not shown', 'nothing', '401 Unauthorized'],
])('a client whose certificate %s is let in or not', async (_, client, answer) => {
  expect(await ask('/', shown[client])).toBe(answer);
});

test.each([
  ['/refused', '404 there is nothing'],
  ['/broken', '500 a mistake'],
])('what fails at %s is told', async (path, answer) => {
  expect(await ask(path, known.listed)).toBe(answer);
});
