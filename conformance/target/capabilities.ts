import { Agent } from 'undici';
import type { Capability } from '../capability.ts';
import type { Lab } from '../lab/lab.ts';
import { type Answer, connect, makeClient, type Send } from '../verbs/client.ts';
import { findControllers } from './controllers.ts';
import type { KnownTarget, Target } from './target.ts';

/** Looks at the target and adds what it can do to what the user declared. Never throws. */
export async function explore(target: Target, declared: readonly Capability[]): Promise<KnownTarget> {
  const agent = connect(target);
  const client = makeClient({
    target,
    agents: { own: agent, anonymous: new Agent() },
    userAgent: 'touchstone/0.1 (exploring)',
    record: () => undefined,
    limit: 5_000,
  });
  const look = async (probe: Probe): Promise<boolean> => {
    try {
      return await probe(client.send);
    } catch {
      return false;
    }
  };
  try {
    const { version, unreachable } = await versionOf(client.send);
    const found = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => ((await look(probe)) ? [name as Capability] : [])),
    );
    const seen = [...new Set([...declared, ...found.flat(), ...reachBack(target)])];
    return {
      ...target,
      capabilities: seen.includes('controllers') ? [...seen, ...(await findControllers(client.send, seen))] : seen,
      version,
      ...(unreachable ? { unreachable } : {}),
    };
  } finally {
    await agent.destroy();
  }
}

/** Whether the target takes anything that the lab has to show: then it was started with the lab's flags. */
export async function trustsLab(target: Target, lab: Lab): Promise<boolean> {
  const { url, certificateAuthority, serverName, insecure } = target;
  const bare = {
    url,
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(serverName ? { serverName } : {}),
    ...(insecure ? { insecure } : {}),
  };
  const { certificate, key } = lab.certificate('alice');
  const shown = [
    { ...bare, token: lab.token('bob') },
    { ...bare, clientCertificate: certificate, clientKey: key },
    { ...bare, token: lab.idToken() },
  ];
  const taken = await Promise.all(shown.map((one) => answersTo(one)));
  return taken.includes(true);
}

/** Whether a caller with these credentials is anybody to the target. */
async function answersTo(target: Target): Promise<boolean> {
  const agent = connect(target);
  try {
    const { send } = makeClient({
      target,
      agents: { own: agent, anonymous: agent },
      userAgent: 'touchstone/0.1 (exploring)',
      record: () => undefined,
      limit: 5_000,
    });
    const { status, body } = await send('GET', '/api/v1/nodes');
    return status === 200 || (status === 403 && !String(body?.message).includes('system:anonymous'));
  } catch {
    return false;
  } finally {
    await agent.destroy();
  }
}

type Probe = (send: Send) => Promise<boolean>;

const accessReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
};

const isReady = (node: { status?: { conditions?: { type: string; status: string }[] } }): boolean =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** How each capability that can be seen from outside is seen. */
const probes: Partial<Record<Capability, Probe>> = {
  'second-user': async (send) => {
    const headers = { 'impersonate-user': 'touchstone-nobody' };
    const answer = await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      body: accessReview,
      headers,
    });
    return answer.status === 201 && answer.body?.status?.allowed === false;
  },
  crd: async (send) =>
    isList(
      await send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1'),
      'CustomResourceDefinitionList',
    ),
  pods: async (send) => isList(await send('GET', '/api/v1/namespaces/default/pods?limit=1'), 'PodList'),
  protobuf: async (send) => {
    const answer = await send('GET', '/api/v1/namespaces?limit=1', {
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
    });
    return answer.status === 200 && answer.bytes.subarray(0, 4).equals(Buffer.from([0x6b, 0x38, 0x73, 0]));
  },
  controllers: async (send) => (await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200,
  nodes: async (send) => ((await send('GET', '/api/v1/nodes')).body?.items ?? []).some(isReady),
};

const isList = (answer: Answer, kind: string): boolean => answer.status === 200 && answer.body?.kind === kind;

/** A server on this machine can call back to it. */
function reachBack(target: Target): Capability[] {
  const { hostname } = new URL(target.url);
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? ['webhooks'] : [];
}

async function versionOf(send: Send): Promise<{ version: string; unreachable?: string }> {
  try {
    const { body } = await send('GET', '/version');
    return { version: typeof body?.gitVersion === 'string' ? body.gitVersion : 'unknown' };
  } catch (error) {
    return { version: 'unknown', unreachable: error instanceof Error ? error.message : String(error) };
  }
}
