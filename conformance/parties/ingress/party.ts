import { connect as connectTo } from 'node:net';
import { startSpecimen } from '../../../fixtures/ingress/specimen.ts';
import { hostInUrl } from '../../../host-in-url.ts';
import { UsageError } from '../../../mistyped.ts';
import { TargetFault } from '../../target/inspect.ts';
import { startReference } from '../../target/reference.ts';
import { clusterFlags, clusterOf, inspectCluster, usualPatience } from '../cluster.ts';
import type { FlagValues, Party } from '../party.ts';
import { ownAddress } from './addresses.ts';
import type { Address } from './call.ts';
import { type IngressCandidate, type IngressContext, openIngress } from './context.ts';
import { ingressRules } from './rules/index.ts';

export const ingressParty: Party<IngressCandidate, IngressContext> = {
  name: 'ingress',
  about:
    'Judges an ingress controller: makes Ingresses, Services, slices and backends, and sends requests to the controller.',
  examples: [
    '--kubeconfig ~/.kube/config --address 192.0.2.7 --class nginx',
    '--kubeconfig ~/.touchstone/kubeconfig-6443 --address 127.0.0.1:8080 --tls-address 127.0.0.1:8443 --class touchstone --backend-host 127.0.0.1',
  ],
  flags: [
    ...clusterFlags('the cluster whose Ingresses the controller serves'),
    { name: 'address', value: 'HOST[:PORT]', help: 'where the controller answers plain HTTP (port 80 unless given)' },
    {
      name: 'tls-address',
      value: 'HOST[:PORT]',
      help: 'where its port 443 is reached (that port of --address unless given)',
    },
    { name: 'class', value: 'NAME', help: 'the IngressClass that asks for it; without it Ingresses name none' },
    {
      name: 'backend-host',
      value: 'ADDRESS',
      help: 'where the controller reaches this machine, on which the backends run (its first address unless given)',
    },
  ],
  rules: ingressRules,
  candidate: candidateOf,
  called: ({ address: { host, port } }) => `${hostInUrl(host)}:${port}`,
  inspect,
  open: openIngress,
  isShared: true,
  async specimen(fault) {
    const { target, stop: end } = await startReference();
    const className = 'specimen';
    const { ports, stop } = await startSpecimen(target, className, fault);
    const at = (port: number): Address => ({ host: '127.0.0.1', port });
    return {
      candidate: {
        ...{ target, className, address: at(ports.port), tlsAddress: at(ports.tlsPort) },
        ...{ backendHost: '127.0.0.1', patience: fault === undefined ? 10_000 : 2_000, finalize: true },
      },
      async stop() {
        await stop();
        await end();
      },
    };
  },
  dead: ['silent', 'routes-nothing', 'says-ok'],
};

function candidateOf(values: FlagValues): IngressCandidate {
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const target = clusterOf(values);
  const given = text('address');
  if (given === undefined) throw new UsageError('--address says where the controller answers');
  const address = addressOf('address', given, 80);
  return {
    ...{ target, address, patience: usualPatience, className: text('class') },
    tlsAddress: addressOf('tls-address', text('tls-address') ?? hostInUrl(address.host), 443),
    backendHost: text('backend-host') ?? ownAddress(),
  };
}

function addressOf(flag: string, text: string, otherwise: number): Address {
  const url = URL.parse(`http://${text}/`);
  if (!url || url.host === '' || url.pathname !== '/' || /[/@?#\s]/.test(text))
    throw new UsageError(`--${flag}: ${text} is no HOST[:PORT]`);
  // A URL forgets the port that is its scheme's own.
  const port = url.port || (/:80$/.test(text) ? 80 : otherwise);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

async function inspect(candidate: IngressCandidate): Promise<void> {
  const { className } = candidate;
  await inspectCluster(candidate, '/apis/networking.k8s.io/v1/ingresses');
  if (className !== undefined)
    await inspectCluster(candidate, `/apis/networking.k8s.io/v1/ingressclasses/${encodeURIComponent(className)}`);
  await reachable(candidate.address);
}

function reachable({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTo({ host, port, timeout: 10_000 }, () => {
      socket.destroy();
      resolve();
    });
    const refuse = (reason: string): void => {
      socket.destroy();
      reject(new TargetFault(`nothing answers at ${host}:${port}: ${reason}.`));
    };
    socket.on('error', ({ message }) => refuse(message));
    socket.on('timeout', () => refuse('no connection within 10 s'));
  });
}
