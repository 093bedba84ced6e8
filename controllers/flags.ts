import { parseArgs } from 'node:util';
import { mistyped, notTaken, UsageError } from '../mistyped.ts';
import { nodeRuntimes, type StartOptions } from './options.ts';
import { parseDuration } from './runtime/duration.ts';

interface Flag {
  readonly name: string;
  readonly type: 'string' | 'strings' | 'boolean' | 'duration' | 'port';
  readonly default?: string;
  readonly help: string;
  /** The texts that it takes. Default: any. */
  readonly oneOf?: readonly string[];
}

/** All flags of `touchstone controllers`, named as a v1.25 controller manager names them where it has them. */
export const controllerFlags: readonly Flag[] = [
  {
    name: 'kubeconfig',
    type: 'string',
    help: 'Client configuration; without it KUBECONFIG, ~/.kube/config, the pod itself.',
  },
  { name: 'context', type: 'string', help: 'Context of the client configuration, if not its current one.' },
  {
    name: 'controllers',
    type: 'strings',
    default: '*',
    help: "Controllers to run: '*' for all that run by default, a name for that one, -name for all but that one.",
  },
  {
    name: 'node-names',
    type: 'strings',
    default: 'touchstone-node',
    help: 'Nodes that the node agent pretends to be.',
  },
  {
    name: 'node-runtime',
    type: 'string',
    default: 'pretended',
    help: 'pretended: pods only seem to run. process: they run as processes of this machine, as you, with all your rights.',
    oneOf: nodeRuntimes,
  },
  {
    name: 'image',
    type: 'strings',
    default: '',
    help: 'For --node-runtime=process: what an image means, as name=command.',
  },
  {
    name: 'node-host-paths',
    type: 'strings',
    default: '',
    help: 'For --node-runtime=process: folders below which pods may use any as hostPath; none without it.',
  },
  {
    name: 'volumes-dir',
    type: 'string',
    help: 'Folder in which directory-provisioner makes volumes for claims.',
  },
  {
    name: 'node-certificates-dir',
    type: 'string',
    help: 'Folder where the node agent keeps the certificates it asks for by CSR; without it it asks for none.',
  },
  {
    name: 'node-client-ca-file',
    type: 'string',
    help: 'PEM: clients with a certificate of these authorities may ask the node for logs, exec and the like; without it nobody may.',
  },
  {
    name: 'cluster-signing-cert-file',
    type: 'string',
    help: 'Certificate of the authority that signs; PEM; read again when it changes.',
  },
  { name: 'cluster-signing-key-file', type: 'string', help: 'Its key; PEM.' },
  {
    name: 'cluster-signing-duration',
    type: 'duration',
    default: '8760h0m0s',
    help: 'The longest lifetime of a signed certificate, and the lifetime of those that ask for none.',
  },
  {
    name: 'root-ca-file',
    type: 'string',
    help: 'Authority for the ConfigMap kube-root-ca.crt; without it that of the kubeconfig.',
  },
  {
    name: 'service-account-private-key-file',
    type: 'string',
    help: 'Key that signs tokens of service account secrets; PEM, RSA or EC.',
  },
  {
    name: 'ingress-address',
    type: 'string',
    default: '127.0.0.1',
    help: 'Address at which the ingress controller listens.',
  },
  {
    name: 'ingress-publish-address',
    type: 'string',
    help: 'Address or name that it writes into the status of Ingresses; without it the one at which it listens.',
  },
  { name: 'ingress-http-port', type: 'port', default: '8080', help: 'Its port for HTTP; 0 for any free one.' },
  { name: 'ingress-https-port', type: 'port', default: '8443', help: 'Its port for TLS; 0 for any free one.' },
  {
    name: 'ingress-class',
    type: 'string',
    default: 'touchstone',
    help: 'The IngressClass that it makes for itself; it serves every class that names it, and Ingresses without one.',
  },
  {
    name: 'leader-elect',
    type: 'boolean',
    default: 'true',
    help: 'Work only while holding a Lease, so that several processes may run.',
  },
  {
    name: 'leader-elect-lease-duration',
    type: 'duration',
    default: '15s',
    help: 'How long others wait after the last renewal.',
  },
  {
    name: 'leader-elect-renew-deadline',
    type: 'duration',
    default: '10s',
    help: 'How long renewal is tried before giving up.',
  },
  { name: 'leader-elect-retry-period', type: 'duration', default: '2s', help: 'The wait between tries.' },
  { name: 'leader-elect-resource-name', type: 'string', default: 'touchstone-controllers', help: 'Name of the Lease.' },
  { name: 'leader-elect-resource-namespace', type: 'string', default: 'kube-system', help: 'Namespace of the Lease.' },
  {
    name: 'metrics-bind-address',
    type: 'string',
    help: 'host:port for /metrics, /healthz, /livez and /readyz; without it none is taken.',
  },
  {
    name: 'logging-format',
    type: 'string',
    default: 'text',
    help: 'How to log on standard error: text, or json with an object a line.',
    oneOf: ['text', 'json'],
  },
  {
    name: 'force',
    type: 'boolean',
    default: 'false',
    help: 'Run although a kube-controller-manager is at work on the cluster.',
  },
  { name: 'help', type: 'boolean', help: 'Show this text.' },
];

export type FlagValues = Omit<StartOptions, 'kubeconfig'> & {
  readonly kubeconfig?: string;
  readonly help?: boolean;
  readonly metricsBindAddress?: string;
  readonly leaderElect: boolean;
  readonly force: boolean;
  readonly loggingFormat: 'text' | 'json';
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceName: string;
  readonly leaderElectResourceNamespace: string;
};

/** The option that a flag sets. */
export const optionOf = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The values by option name: `node-names` becomes `nodeNames`. @throws UsageError */
export function parseFlags(args: readonly string[]): FlagValues {
  const options = Object.fromEntries(
    controllerFlags.map(({ name }) => [name, { type: 'string' as const, multiple: true }]),
  );
  let values: { readonly [name: string]: string[] | undefined };
  try {
    values = parseArgs({ args: args.map((arg) => withTruth(arg)), options, strict: true }).values as typeof values;
  } catch (error) {
    throw new UsageError(
      mistyped(
        error,
        controllerFlags.map(({ name }) => name),
      ),
    );
  }
  const entries = controllerFlags.flatMap((flag) => {
    const given = values[flag.name] ?? (flag.default === undefined ? [] : [flag.default]);
    return given.length > 0 ? [[optionOf(flag.name), parsedValue(flag, given)]] : [];
  });
  return Object.fromEntries(entries) as FlagValues;
}

/** A boolean flag without a value is true. */
const withTruth = (arg: string): string =>
  arg === '-h'
    ? '--help=true'
    : controllerFlags.some(({ name, type }) => type === 'boolean' && arg === `--${name}`)
      ? `${arg}=true`
      : arg;

function parsedValue(
  { name, type, oneOf }: Flag,
  given: readonly string[],
): string | boolean | number | readonly string[] {
  const text = given.at(-1) ?? '';
  if (type === 'strings') return given.flatMap((each) => each.split(',')).filter(Boolean);
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false')
      throw new UsageError(`--${name} takes true or false, not ${JSON.stringify(text)}`);
    return text === 'true';
  }
  if (oneOf && !oneOf.includes(text)) throw new UsageError(notTaken(name, text, oneOf));
  if (type === 'string') return text;
  if (type === 'port') {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
      throw new UsageError(`--${name} takes a port, not ${JSON.stringify(text)}`);
    return Number(text);
  }
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new UsageError(`--${name} takes a duration such as 5m0s, not ${JSON.stringify(text)}`);
  return milliseconds;
}

export const flagsHelp = (): string =>
  controllerFlags
    .map(({ name, type, help, default: value }) => {
      const kind = type === 'boolean' ? '' : ` ${type}`;
      return `  --${name}${kind}\n        ${help}${value ? ` (default ${value})` : ''}\n`;
    })
    .join('');
