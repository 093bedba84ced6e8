import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Capability, capabilities } from './capability.ts';
import { catalogue } from './catalogue.ts';
import { type ProfileName, profileNames } from './profiles.ts';
import type { Level } from './rule.ts';
import { TargetError, targetFromKubeconfig } from './target/kubeconfig.ts';
import type { Target } from './target/target.ts';

/** A flag that cannot be meant. The message is one line for the user. */
export class UsageError extends Error {}

/** One flag of a command. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly many?: boolean;
  readonly help: string;
}

/** Every flag of `touchstone conformance`, in the order of the help. */
export const flags: readonly Flag[] = [
  {
    name: 'server',
    value: 'URL',
    help: 'judge the server at this address; without a target the reference server is started',
  },
  { name: 'token', value: 'TOKEN', help: 'bearer token of an administrator' },
  { name: 'certificate-authority', value: 'FILE', help: "PEM file that vouches for the server's certificate" },
  { name: 'insecure-skip-tls-verify', help: "do not check the server's certificate" },
  { name: 'client-certificate', value: 'FILE', help: 'PEM client certificate of an administrator' },
  { name: 'client-key', value: 'FILE', help: 'PEM key of the client certificate' },
  { name: 'kubeconfig', value: 'FILE', help: 'take address and credentials from this file' },
  { name: 'context', value: 'NAME', help: 'context of the kubeconfig, instead of its current one' },
  {
    name: 'lab',
    value: 'DIR',
    help: 'the server was started with the flags of this lab, which touchstone lab --dir DIR prints',
  },
  {
    name: 'launch',
    value: 'COMMAND',
    help: 'start further servers with chosen flags by this command; it must print KUBECONFIG=FILE once it serves',
  },
  {
    name: 'webhook-host',
    value: 'HOST',
    help: 'the name or address at which the server reaches webhooks on this machine (default 127.0.0.1 for a server on it)',
  },
  {
    name: 'capability',
    value: 'NAME',
    many: true,
    help: `say that the target has what cannot be seen from outside: ${Object.keys(capabilities).join(', ')}`,
  },
  {
    name: 'profile',
    value: 'NAME',
    many: true,
    help: `what the target claims to keep: ${profileNames.join(', ')}; only its rules are played, and what they need must be there`,
  },
  { name: 'rule', value: 'ID', many: true, help: 'only this rule; prints all it did' },
  { name: 'chapter', value: 'NAME', many: true, help: 'only the rules of this chapter, such as lists' },
  { name: 'level', value: 'LEVEL', many: true, help: 'only must, should or may rules' },
  { name: 'skip', value: 'ID', many: true, help: 'not this rule' },
  {
    name: 'yes',
    help: 'allow what touches the whole cluster: nodes, volumes, approvals, bootstrap tokens and webhooks; asked for on a terminal',
  },
  { name: 'disruptive', help: 'allow webhooks that see requests of others as well, and deletes of whole collections' },
  { name: 'read-only', help: 'store nothing on the target; rules that would are not judged' },
  { name: 'dry-run', help: 'show what the chosen rules would send, by playing them on the reference server instead' },
  { name: 'cleanup', help: 'remove what earlier runs have left on the target, and judge nothing' },
  { name: 'list', help: 'print the rules that would run, and run none' },
  { name: 'timeout', value: 'SECONDS', help: 'how long one rule may take (default 60)' },
  { name: 'out', value: 'DIR', help: 'folder for the reports (default ./reports)' },
  { name: 'fail-fast', help: 'stop at the first rule that fails' },
  { name: 'keep', help: 'leave the objects that rules create' },
  { name: 'workers', value: 'N', help: 'how many files of rules run at once (default: one a processor)' },
  { name: 'self-check', help: 'prove that each rule can fail: run it under its sabotages and on dead servers' },
  {
    name: 'oracle',
    help: 'also play generated work on the target and on the reference server and show where they differ (as profile full does)',
  },
  { name: 'no-oracle', help: 'not in profile full either' },
  { name: 'oracle-time', value: 'SECONDS', help: 'how long that may take (default 150)' },
  { name: 'oracle-seed', value: 'N', help: 'play the generated work of this number again' },
  { name: 'strict', help: 'exit with 1 also when the oracle finds a difference' },
  { name: 'help', help: 'print this' },
];

export interface Settings {
  readonly target?: Target;
  readonly launch?: readonly string[];
  readonly lab?: string;
  readonly webhookHost?: string;
  readonly capabilities: readonly Capability[];
  readonly profile: readonly ProfileName[];
  readonly rules: readonly string[];
  readonly chapters: readonly string[];
  readonly levels: readonly Level[];
  readonly skip: readonly string[];
  readonly yes: boolean;
  readonly disruptive: boolean;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly cleanup: boolean;
  readonly list: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  readonly out: string;
  readonly failFast: boolean;
  readonly keep: boolean;
  readonly workers: number;
  readonly selfCheck: boolean;
  readonly oracle: boolean;
  /** Milliseconds. */
  readonly oracleTime: number;
  readonly oracleSeed?: number;
  readonly strict: boolean;
  readonly help: boolean;
}

/** The flags of a command as its help shows them, a line each. */
export function flagsText(flags: readonly Flag[]): string {
  const heads = flags.map(({ name, value }) => `  --${name}${value ? ` ${value}` : ''}`);
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  return flags
    .map(({ help, many }, index) => `${heads[index]?.padEnd(width)}${help}${many ? '; may be repeated' : ''}`)
    .join('\n');
}

export const usage = (): string =>
  `Usage: touchstone conformance [flags]\n\nJudges a server by the documented rules. Exit code 0: no must was broken; 1: some were; 2: wrong usage;\n3: the target cannot be judged; 4: no must was broken, but something claimed could not be judged.\n\n${flagsText(flags)}\n`;

type Values = Record<string, string | boolean | readonly (string | boolean)[] | undefined>;

function read(argv: readonly string[]): Values {
  const options = Object.fromEntries(
    flags.map(({ name, value, many }) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: many ?? false },
    ]),
  );
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values as Values;
  } catch (error) {
    const [first = 'wrong usage'] = (error instanceof Error ? error.message : String(error)).split(/\n|\. To specify/);
    throw new UsageError(first);
  }
}

/** Reads the command line. Throws a UsageError for what cannot be meant. */
export function readSettings(argv: readonly string[]): Settings {
  const values = read(argv);
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const texts = (name: string): readonly string[] => (values[name] as readonly string[] | undefined) ?? [];
  const target = readTarget(text, values['insecure-skip-tls-verify'] === true);
  const launch = text('launch');
  const lab = text('lab');
  const webhookHost = text('webhook-host');
  const oracleSeed = text('oracle-seed');
  return {
    ...(target ? { target } : {}),
    ...(lab ? { lab } : {}),
    ...(webhookHost ? { webhookHost: hostName(webhookHost) } : {}),
    ...(launch ? { launch: launch.trim().split(/\s+/) } : {}),
    capabilities: texts('capability').map((name) => oneOf('capability', name, Object.keys(capabilities)) as Capability),
    profile: texts('profile').map((name) => oneOf('profile', name, profileNames) as ProfileName),
    rules: texts('rule').map((id) => known('rule', id, ruleIds)),
    chapters: texts('chapter').map((name) => known('chapter', name, chapterNames)),
    levels: texts('level').map((level) => oneOf('level', level, ['must', 'should', 'may']) as Level),
    skip: texts('skip').map((id) => known('skip', id, ruleIds)),
    yes: values.yes === true,
    disruptive: values.disruptive === true,
    readOnly: values['read-only'] === true,
    dryRun: values['dry-run'] === true,
    cleanup: values.cleanup === true,
    list: values.list === true,
    timeout: positive('timeout', text('timeout') ?? '60') * 1000,
    out: text('out') ?? 'reports',
    failFast: values['fail-fast'] === true,
    keep: values.keep === true,
    workers: whole('workers', text('workers') ?? String(availableParallelism())),
    selfCheck: values['self-check'] === true,
    oracle: values.oracle === true || (texts('profile').includes('full') && values['no-oracle'] !== true),
    oracleTime: positive('oracle-time', text('oracle-time') ?? '150') * 1000,
    ...(oracleSeed === undefined ? {} : { oracleSeed: seed(oracleSeed) }),
    strict: values.strict === true,
    help: values.help === true,
  };
}

const ruleIds = new Set(catalogue.map(({ id }) => id));
const chapterNames = new Set(catalogue.map(({ chapter }) => chapter));

function known(flag: string, value: string, values: ReadonlySet<string>): string {
  if (values.has(value)) return value;
  throw new UsageError(`--${flag}: there is no ${flag === 'chapter' ? 'chapter' : 'rule'} ${value}`);
}

/** @throws UsageError */
export function oneOf(flag: string, value: string, values: readonly string[]): string {
  if (values.includes(value)) return value;
  throw new UsageError(`--${flag}: ${value} is none of ${values.join(', ')}`);
}

/** @throws UsageError */
export function positive(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0 || number > 86_400)
    throw new UsageError(`--${flag}: ${text} is no number of seconds`);
  return number;
}

function seed(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= 2 ** 31) return number;
  throw new UsageError(`--oracle-seed: ${text} is no whole number from 0 to ${2 ** 31}`);
}

/** @throws UsageError */
export function whole(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 256)
    throw new UsageError(`--${flag}: ${text} is no whole number from 1 to 256`);
  return number;
}

export function readTarget(text: (name: string) => string | undefined, insecure: boolean): Target | undefined {
  const kubeconfig = text('kubeconfig');
  const server = text('server');
  if (kubeconfig !== undefined) {
    if (server !== undefined) throw new UsageError('--server and --kubeconfig exclude each other');
    try {
      return { ...targetFromKubeconfig(kubeconfig, text('context')), ...(insecure ? { insecure } : {}) };
    } catch (error) {
      if (error instanceof TargetError) throw new UsageError(`--kubeconfig: ${error.message}`);
      throw error;
    }
  }
  if (server === undefined) {
    const stray = ['token', 'certificate-authority', 'client-certificate', 'client-key', 'lab', 'context'].find(
      (name) => text(name) !== undefined,
    );
    if (stray) throw new UsageError(`--${stray} needs ${stray === 'context' ? '--kubeconfig' : '--server'}`);
    return undefined;
  }
  return targetFromFlags(server, text, insecure);
}

function targetFromFlags(server: string, text: (name: string) => string | undefined, insecure: boolean): Target {
  const token = text('token');
  const certificateAuthority = pem('certificate-authority', text('certificate-authority'));
  const clientCertificate = pem('client-certificate', text('client-certificate'));
  const clientKey = pem('client-key', text('client-key'));
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw new UsageError('--client-certificate and --client-key belong together');
  return {
    url: address(server),
    ...(token ? { token } : {}),
    ...(certificateAuthority ? { certificateAuthority } : {}),
    ...(clientCertificate && clientKey ? { clientCertificate, clientKey } : {}),
    ...(insecure ? { insecure } : {}),
  };
}

function address(server: string): string {
  const url = URL.parse(server);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--server: ${server} is no http or https address`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function hostName(text: string): string {
  const host = text.replace(/^\[|\]$/g, '');
  if (URL.canParse(`https://${host.includes(':') ? `[${host}]` : host}/`) && !/[/@?#\s]/.test(host)) return host;
  throw new UsageError(`--webhook-host: ${text} is no name or address of a host`);
}

function pem(flag: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new UsageError(`--${flag}: there is no file ${file}`);
  return readFileSync(file, 'utf8');
}
