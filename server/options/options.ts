import { isIP } from 'node:net';
import { fileTrouble, unreadable } from '../../file-trouble.ts';
import { checkKinds, checkObject, type OptionKind, UsageError } from '../../mistyped.ts';
import { checkAdmissionOptions } from '../admission/flags.ts';
import type { AdmissionOptions } from '../admission/options.ts';
import { type AuthnOptions, checkAuthnOptions } from '../authn/options.ts';
import { type AuthzOptions, checkAuthzOptions } from '../authz/options.ts';
import type { Flag } from '../base/flag.ts';
import { dnsSubdomain } from '../base/names.ts';
import { MovableClock } from '../base/time/movable-clock.ts';
import { readNamedPairs } from '../certificates/named-certificates.ts';
import { type CertificateOptions, checkCertificateOptions } from '../certificates/options.ts';
import { checkEngineOptions, type EngineOptions } from '../engine/engine-options.ts';
import { kindsFor } from '../kinds/index.ts';
import { runtimeConfig } from '../registry/runtime-config.ts';
import { type AuditOptions, checkAuditOptions } from '../request/audit/options.ts';
import { checkFlowControlOptions, type FlowControlOptions } from '../request/flow-control/options.ts';
import { optionOf, optionsFrom, parseFlags, strayValues } from './command-line.ts';
import { featureGates } from './feature-gates.ts';
import { serverFlags } from './flags.ts';

/** Everything a server can be told; each field is the flag of the same name in kebab case. Durations are milliseconds. */
export interface ServerOptions
  extends EngineOptions,
    CertificateOptions,
    AuthnOptions,
    AuthzOptions,
    AdmissionOptions,
    AuditOptions,
    FlowControlOptions {
  readonly bindAddress: string;
  /** The IP address that the Service `kubernetes` leads to; missing: `bindAddress`, or where that is this machine alone, the machine's. */
  readonly advertiseAddress?: string;
  readonly securePort: number;
  /** How likely it is that a request over HTTP/2 is the last new one of its connection. */
  readonly goawayChance: number;
  readonly etcdCompactionInterval: number;
  /** Milliseconds. */
  readonly etcdHealthcheckTimeout: number;
  readonly etcdReadycheckTimeout: number;
  readonly watchCacheSizes: readonly string[];
  readonly shutdownDelayDuration: number;
  readonly livezGracePeriod: number;
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  readonly allowPrivileged: boolean;
  readonly featureGates: readonly string[];
  readonly runtimeConfig: readonly string[];
  /** Reference controllers to run beside the server; empty: none. */
  readonly controllers: readonly string[];
  /** Where the node among them keeps the certificates it asks for; missing: it asks for none. */
  readonly nodeCertificatesDir?: string;
  /** Where the ingress controller among them listens; port 0 is any free one. */
  readonly ingressAddress: string;
  readonly ingressHttpPort: number;
  readonly ingressHttpsPort: number;
  /** The names of the nodes beside the server. */
  readonly nodeNames: readonly string[];
  /** Whether pods of these only seem to run (`pretended`) or are processes (`process`), and what these may use. */
  readonly nodeRuntime: 'pretended' | 'process';
  readonly image: readonly string[];
  readonly nodeHostPaths: readonly string[];
  /** Where volumes are made for claims; missing: nowhere. */
  readonly volumesDir?: string;
  /** Whether faults may be asked for. */
  readonly faults: boolean;
  /** Whether the page for people is served, at /touchstone/ui/; only on a loopback address. */
  readonly ui: boolean;
  readonly clusterSigningDuration: number;
  readonly v: number;
  /** The time to go by; missing: one of its own. */
  readonly clock: MovableClock;
}

/**
 * The options with the flags' own defaults filled in; in process free ports are taken and nothing is kept on disk.
 * @throws UsageError for what is no object
 */
export function withDefaults(options: Partial<ServerOptions>): ServerOptions {
  checkGiven(options);
  const { certDir: _onlyForCommands, ...defaults } = optionsFrom(parseFlags(serverFlags, []));
  // The table of flags and this interface are held together by a test.
  const ports = { securePort: 0, ingressHttpPort: 0, ingressHttpsPort: 0 };
  const own = { ...ports, clock: options.clock ?? new MovableClock() };
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...(defaults as unknown as ServerOptions), ...own, ...Object.fromEntries(said) };
}

/** @throws UsageError for options that are no object: spread, they would be as good as none */
export function checkGiven(options: Partial<ServerOptions>): void {
  const [problem] = problemOf(() => checkObject(options));
  if (problem) throw new UsageError(problem);
}

/** What is wrong with the options, one sentence each; empty when the server can start with them. */
export function problemsOf(options: ServerOptions): readonly string[] {
  // From programs that no compiler has seen: who mistypes `dataDir` shall not find out when nothing was kept.
  const unlike = problemOf(() => checkKinds(options, kinds));
  // The other checks read what is of its kind.
  if (unlike.length > 0) return unlike;
  const problems = [
    ...checkAuthnOptions(options),
    ...checkAuthzOptions(options),
    ...checkAdmissionOptions(options),
    ...checkAuditOptions(options),
    ...checkFlowControlOptions(options),
    ...serverFlags.flatMap((flag) => problemsOfFlag(flag, (options as unknown as Values)[optionOf(flag.name)])),
    ...readers.flatMap((read) => problemOf(() => read(options))),
    ...checkCertificateOptions(options),
    ...checkEngineOptions(options),
    ...options.nodeNames.flatMap((name) =>
      dnsSubdomain(name).map((problem) => `--node-names: ${JSON.stringify(name)} ${problem}`),
    ),
  ];
  if (options.nodeRuntime === 'process' && !/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(options.bindAddress))
    problems.push('--node-runtime=process runs pods as you, so the server must be on loopback (--bind-address)');
  if (!(options.goawayChance >= 0 && options.goawayChance <= mostGoawayChance))
    problems.push(`--goaway-chance must be between 0 and ${mostGoawayChance}`);
  if (options.advertiseAddress && !isIP(options.advertiseAddress))
    problems.push(`--advertise-address must be an IP address, not ${JSON.stringify(options.advertiseAddress)}`);
  if (options.ui && !/^(127\.|::1$|localhost$)/.test(options.bindAddress))
    problems.push('--ui is for this machine alone: --bind-address must be a loopback address');
  for (const size of options.watchCacheSizes) {
    if (!/^[a-z0-9.-]+#\d+$/.test(size))
      problems.push(`--watch-cache-sizes: ${JSON.stringify(size)} is not resource#size`);
  }
  return problems;
}

/** Connections are costly to make: more would wear out who has many requests. */
const mostGoawayChance = 0.02;

/** What options are whose flag is of this type. */
const kindOfType = {
  ...{
    string: 'a text',
    boolean: 'true or false',
    int: 'a number',
    number: 'a number',
    duration: 'a number',
    strings: 'a list',
  },
} as const satisfies Record<Flag['type'], OptionKind>;

/** What only programs can say. */
const withoutFlag = {
  ...{ clock: 'an object', log: 'an object', store: 'an object', decodedBytes: 'a number', historyBytes: 'a number' },
} as const satisfies Partial<Record<keyof ServerOptions, OptionKind>>;

const kinds: Readonly<Record<string, OptionKind>> = {
  ...Object.fromEntries(serverFlags.map(({ name, type }) => [optionOf(name), kindOfType[type]])),
  ...withoutFlag,
};

type Values = Readonly<Record<string, unknown>>;

/** What holds for every flag of its type, or of its name. */
function problemsOfFlag(flag: Flag, value: unknown): readonly string[] {
  const { name, type } = flag;
  const stray = strayValues(flag, value);
  if (stray.length > 0) return stray;
  if (type === 'duration' && Number(value) < 0) return [`--${name} must not be negative`];
  if (name.endsWith('-port') && (Number(value) < 0 || Number(value) > 65_535))
    return [`--${name} must be between 0 and 65535`];
  if (!name.endsWith('-file')) return [];
  return [value ?? []]
    .flat()
    .flatMap((file) => unreadable(String(file)) ?? [])
    .map((trouble) => `--${name}: ${trouble}`);
}

/** Options whose own parts refuse what they cannot read. */
const readers: readonly ((options: ServerOptions) => unknown)[] = [
  (options) => featureGates(options.featureGates),
  (options) => runtimeConfig(options.runtimeConfig),
  (options) => kindsFor(options),
  (options) => readNamedPairs(options.tlsSniCertKey),
];

function problemOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [fileTrouble(error)];
  }
}
