import type { Capability } from '../capability.ts';
import type { Lab } from '../lab/lab.ts';
import type { Answer, Send } from '../verbs/client.ts';
import type { Permit } from '../verbs/guest/permit.ts';
import { reviewed } from '../verbs/rights-review.ts';
import { isReady, takesPods } from '../verbs/states.ts';
import { waitUntil } from '../verbs/wait-until.ts';
import { controllerCapabilities, findControllers } from './controllers.ts';
import { allowsEveryone } from './everyones-rights.ts';
import { asking, inspect, roundTripOf } from './inspect.ts';
import { isNarrow } from './narrow-rights.ts';
import { serversOf } from './servers.ts';
import type { KnownTarget, Target } from './target.ts';
import { type Tending, tendingOf } from './tended.ts';
import { unservedCore, unservedKinds } from './unserved.ts';
import { type Refusal, writesRefused } from './writes-refused.ts';

export interface ExploreOptions {
  /** What the user says that the target has. */
  readonly declared: readonly Capability[];
  /** What may be made on the target to see what becomes of it. */
  readonly permit: Permit;
}

/**
 * Looks at the target and adds what it can do to what the user declared. What is there but does not work counts as
 * there: whether it works is for rules to judge.
 * @throws TargetFault when there is nothing to judge
 */
export const explore = (target: Target, options: ExploreOptions): Promise<KnownTarget> =>
  asking(target, async (send) => {
    const version = await inspect(target, send);
    const looks = options.declared.includes('kinds') ? [] : [unservedCore(send), unservedKinds(send)];
    const unserved = (await Promise.all(looks)).flat();
    const known = { ...target, version, unserved, ...(await circumstancesOf(send)) };
    const all: Sight = unserved.length === 0 || `it does not serve ${unserved.join(', ')}`;
    const probed = await Promise.all(
      Object.entries(probes)
        .filter(([name]) => !options.declared.includes(name as Capability))
        .map(async ([name, probe]) => [name as Capability, await look(probe, send)] as const),
    );
    const sights = [...probed, ['kinds', all] as const];
    const there = sights.flatMap(([name, sight]) => (sight === true ? [name] : []));
    const seen = [...new Set([...options.declared, ...there, ...reachBack(target)])];
    const absent = Object.fromEntries(sights.filter(([, sight]) => sight !== true));
    const kept = known.narrow ? { withheld: withheldBy(absent) } : {};
    if (!seen.includes('controllers') || !options.permit.write)
      return { ...known, ...kept, capabilities: seen, absent };
    const [found, tending] = await Promise.all([
      findControllers(send, { known: seen, permit: options.permit }),
      tendingOf(send, options.permit),
    ]);
    const unseen = controllerCapabilities.filter((name) => !seen.includes(name) && !found.includes(name));
    const why = Object.fromEntries(unseen.map((name) => [name, 'what it should do was tried and did not happen']));
    return beside({ ...known, ...kept, capabilities: [...seen, ...found], absent: { ...absent, ...why } }, tending);
  });

/** What somebody with few rights could not look at, or try out. */
const withheldBy = (absent: Partial<Record<Capability, string>>): readonly Capability[] => [
  ...(Object.keys(absent) as Capability[]).filter((name) => /\b403\b/.test(absent[name] ?? '')),
  ...controllerCapabilities,
];

/** What takes pods that keep to no standard. */
const ofPods: readonly Capability[] = [
  ...(['pods', 'nodes', 'job-controller', 'ttl-controller', 'endpointslice-controller'] as const),
];

/** The target beside others who write its new namespaces. */
function beside(known: KnownTarget, { tended, confined }: Tending): KnownTarget {
  const all = tended ? { ...known, tended } : known;
  if (!confined) return all;
  const withheld = ofPods.filter((name) => known.capabilities.includes(name));
  const why = Object.fromEntries(withheld.map((name) => [name, confined]));
  const capabilities = known.capabilities.filter((name) => !withheld.includes(name));
  return {
    ...all,
    capabilities,
    withheld: [...withheld, ...(known.withheld ?? [])],
    absent: { ...known.absent, ...why },
  };
}

const circumstancesOf = async (send: Send) => ({
  ...optional(await writesRefused(send)),
  roundTrip: await roundTripOf(send),
  servers: await serversOf(send),
  narrow: await isNarrow(send),
});

const optional = (refused: Refusal | undefined) => (refused ? { refused } : {});

/** Without credentials. */
const bareOf = ({ url, certificateAuthority, serverName, insecure }: Target): Target => ({
  url,
  ...(certificateAuthority ? { certificateAuthority } : {}),
  ...(serverName ? { serverName } : {}),
  ...(insecure ? { insecure } : {}),
});

/** Whether the target takes anything that the lab has to show: then it was started with the lab's flags. */
export async function trustsLab(target: Target, lab: Lab): Promise<boolean> {
  const bare = bareOf(target);
  const { certificate, key } = lab.certificate('alice');
  const shown = [
    { ...bare, token: lab.token('bob') },
    { ...bare, clientCertificate: certificate, clientKey: key },
    { ...bare, token: lab.idToken() },
  ];
  const taken = await Promise.all(shown.map((one) => answersTo(one)));
  return taken.includes(true);
}

/** Milliseconds after which a server that did not find its issuer has looked for it again. */
const issuerSought = 12_000;

/** Gives a target that was started before the lab's issuer the time to find that, if it ever does: rules judge it. */
export async function meetsIssuer(target: Target, lab: Pick<Lab, 'idToken'>, limit = issuerSought): Promise<void> {
  const look = () => answersTo({ ...bareOf(target), token: lab.idToken() });
  await waitUntil('id tokens are taken', look, Boolean, { limit, interval: 500 }).catch(() => undefined);
}

/** Whether a caller with these credentials is anybody to the target. */
const answersTo = (target: Target): Promise<boolean> =>
  asking(target, async (send) => {
    const { status, body } = await send('GET', '/api/v1/nodes');
    return status === 200 || (status === 403 && !String(body?.message).includes('system:anonymous'));
  }).catch(() => false);

/** That something is there, or how it was seen that it is not. */
type Sight = true | string;

type Probe = (send: Send) => Promise<Sight>;

async function look(probe: Probe, send: Send): Promise<Sight> {
  try {
    return await probe(send);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const mayReadPods = { resourceAttributes: { verb: 'get', resource: 'pods' } };
const nobody = 'touchstone-nobody';
const selfReviews = { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' };

/**
 * Whether the target says of anybody whom it knows that they may ask what they may do, as they may unless that was taken
 * from them.
 */
async function mayReviewItself(send: Send): Promise<boolean> {
  const resourceAttributes = { verb: 'create', ...selfReviews };
  const spec = { user: nobody, groups: ['system:authenticated'], resourceAttributes };
  return (await reviewed(send, 'SubjectAccessReview', spec)).body?.status?.allowed === true;
}

/**
 * How each capability that can be seen from outside is seen. Only a plain no is one: who breaks on the way, or takes no
 * notice of what is asked, is judged by the rules that need it.
 */
const probes: Partial<Record<Capability, Probe>> = {
  'second-user': async (send) => {
    const headers = { 'impersonate-user': nobody };
    const asked = reviewed(send, 'SelfSubjectAccessReview', mayReadPods, { headers });
    const { status, body } = (await asked.catch(() => undefined)) ?? {};
    // That one may not act as somebody is told of users; what is told of the review was refused to him who is acted as.
    const isActedAs = status === 403 && body?.details?.kind === selfReviews.resource;
    return (isActedAs && (await mayReviewItself(send))) || unlessRefused(asked);
  },
  rights: async (send) =>
    !(await allowsEveryone(send)) || 'it says of somebody who was made up that they may do everything, and lets them',
  crd: (send) => unlessRefused(send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1')),
  pods: (send) => unlessRefused(send('GET', '/api/v1/namespaces/default/pods?limit=1')),
  protobuf: (send) =>
    unlessRefused(
      send('GET', '/api/v1/namespaces?limit=1', { headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
    ),
  controllers: async (send) => {
    const { status } = await send('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    return status === 200 || `nobody has made the service account default: ${status}`;
  },
  nodes: async (send) => {
    const ready = ((await send('GET', '/api/v1/nodes')).body?.items ?? []).filter(isReady);
    if (ready.length === 0) return 'none of the nodes is ready';
    return ready.some(takesPods) || 'none of the nodes that are ready takes pods that tolerate nothing';
  },
};

/** A server that has a thing and breaks on it answers with another status than one that has it not, or not at all. */
async function unlessRefused(asked: Promise<Answer>): Promise<Sight> {
  const answer = await asked.catch(() => undefined);
  if (!answer) return true;
  const { status, body } = answer;
  if (status < 300 || status >= 500) return true;
  return `a look at it was answered ${status}${typeof body?.message === 'string' ? ` ${body.message.slice(0, 200)}` : ''}`;
}

/** A server on this machine can call back to it. */
function reachBack(target: Target): Capability[] {
  const { hostname } = new URL(target.url);
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? ['webhooks'] : [];
}
