import type { Answer, Send } from '../verbs/client.ts';
import { redact } from '../verbs/exchange.ts';
import { connect } from '../verbs/wire/connections.ts';
import { clientOf } from '../verbs/wire/plugin-client.ts';
import { PluginCredentials } from './credential-plugin.ts';
import type { Target } from './target.ts';
import { listsGroups } from './unserved.ts';

/** A target that cannot be judged at all. The message is one sentence for the user. */
export class TargetFault extends Error {}

/** Milliseconds for what is asked before anything is judged; a server may be far away and busy. */
const lookLimit = 10_000;

/** Asks the target as its administrator, for as long as `work` lasts; nothing of it is reported. */
export async function asking<T>(target: Target, work: (send: Send) => Promise<T>): Promise<T> {
  const agent = connect(target);
  try {
    const agents = { own: agent, anonymous: agent };
    const userAgent = 'touchstone/0.1 (exploring)';
    const { plugin } = target;
    // Here somebody may be asked.
    const credentials = plugin && new PluginCredentials(plugin, process.stdin.isTTY === true);
    const options = { target, agents, record: () => undefined, limit: lookLimit, userAgent };
    return await work(clientOf(options, credentials).send);
  } finally {
    await agent.destroy();
  }
}

/**
 * The version that the target tells.
 * @throws TargetFault when it cannot be reached, is no API server, or refuses the credentials
 */
export async function inspect({ url }: Target, send: Send): Promise<string> {
  const answer = await send('GET', '/api').catch((error: Error) => {
    throw new TargetFault(`${url} cannot be reached: ${plainly(error.message)}.`);
  });
  const fault = faultOf(answer);
  if (fault && !(await servesOthers(answer, send))) throw new TargetFault(`${url} ${fault}.`);
  const version = await send('GET', '/version').catch(() => undefined);
  const named = version?.body?.gitVersion;
  return typeof named === 'string' ? named : 'unknown';
}

/** Whether who has nothing at `/api` has groups: one that is meant to stand behind another server. */
const servesOthers = async ({ status }: Answer, send: Send): Promise<boolean> =>
  status === 404 && listsGroups(await send('GET', '/apis').catch(() => undefined));

/** The quickest of a few answers, in milliseconds; 0 where none came. */
export async function roundTripOf(send: Send): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    const answer = await send('GET', '/version').catch(() => undefined);
    if (answer) times.push(performance.now() - started);
  }
  return times.length > 0 ? Math.min(...times) : 0;
}

/** Causes by what the connection says, and what to do about them. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no host of that name'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to that host'],
  [/wrong version number|packet length too long|EPROTO/i, 'it speaks plain HTTP there, not HTTPS'],
  [
    /self.signed|unable to (?:verify|get)|unknown authority|issuer certificate/i,
    'its certificate is of an authority that is not trusted; name it by --certificate-authority',
  ],
  [
    /signature failure/i,
    'its certificate is not of the authority that is trusted, but of one of the same name; name that by --certificate-authority',
  ],
  [/certificate has expired/i, 'its certificate has expired'],
  [/Hostname\/IP does not match/i, 'its certificate is for another host'],
  [/alert (?:number 116|certificate required|bad certificate)/i, 'it does not take the client certificate'],
  [/no answer within|timeout/i, `it gives no answer within ${lookLimit / 1000} s`],
];

function plainly(message: string): string {
  const said = message.replace(/^GET \S+: /, '').split('\n')[0] ?? '';
  return causes.find(([pattern]) => pattern.test(said))?.[1] ?? redact(said).slice(0, 200);
}

/** Why an answer to a look at `/api` shows that there is nothing to judge. */
function faultOf({ status, headers, text, body }: Answer): string | undefined {
  const type = headers['content-type'] ?? '';
  const message = redact(typeof body?.message === 'string' ? body.message : '').slice(0, 200);
  const said = message === '' ? '' : `: ${message}`;
  if (status === 400 && /HTTP request to an HTTPS server/i.test(text))
    return 'speaks HTTPS, not plain HTTP: use https://';
  if (status >= 300 && status < 400)
    return `redirects to ${(headers['location'] ?? 'nowhere').slice(0, 200)} and is no API server itself`;
  if (status === 401) return `refuses the credentials${said}`;
  if (status === 403)
    return `refuses these credentials even to see what it serves; those of an administrator are needed${said}`;
  if (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(text)) return 'answers HTML and is no API server';
  if (typeof body !== 'object' || body === null)
    return `answers ${status} with what is no JSON object and is no API server`;
  return undefined;
}
