import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { fileProblems } from '../file-trouble.ts';
import { hostInUrl } from '../host-in-url.ts';
import { mistyped, noSuch, notTaken, UsageError } from '../mistyped.ts';
import { plainEntry } from '../plain.ts';
import { untilTold } from '../until-told.ts';
import { AuthorityUpkeep } from './authority-upkeep.ts';
import { CertificateReload, readKeyPair } from './certificate-files.ts';
import { configurations, install } from './install.ts';
import { policies } from './policies/index.ts';
import type { Policy } from './policy.ts';
import { selfSigned } from './self-signed.ts';
import { type KeyPair, serve, type WebhookServer } from './serve.ts';

interface Flag {
  readonly name: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly many?: boolean;
  readonly help: string;
}

/** Every flag of `touchstone webhooks`, in the order of the help. */
export const flags: readonly Flag[] = [
  { name: 'port', value: 'PORT', help: 'port to serve HTTPS on; 0 takes a free one (default 8443)' },
  { name: 'bind-address', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
  {
    name: 'tls-cert-file',
    value: 'FILE',
    help: 'certificate to serve, PEM; without it one is made that vouches for itself',
  },
  {
    name: 'tls-private-key-file',
    value: 'FILE',
    help: 'key of the certificate, PEM; both files are read again when they change',
  },
  { name: 'policy', value: 'NAME', many: true, help: 'serve only this policy' },
  { name: 'list', help: 'print the policies, and serve none' },
  { name: 'install', help: 'write the configurations that make an API server ask the policies' },
  { name: 'kubeconfig', value: 'FILE', help: 'the API server to install into (default as kubectl finds it)' },
  { name: 'url', value: 'URL', help: 'where the API server reaches the policies (default the address served on)' },
  {
    name: 'service',
    value: 'NAMESPACE/NAME',
    help: 'the Service by which the API server reaches the policies, instead of a URL',
  },
  { name: 'ca-file', value: 'FILE', help: 'PEM that vouches for the certificate (default the certificate itself)' },
  { name: 'logging-format', value: 'FORMAT', help: 'how to log on standard error, text or json (default text)' },
  { name: 'help', help: 'print this' },
];

type LogFormat = 'text' | 'json';

interface Settings {
  readonly port: number;
  readonly address: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly policies: readonly Policy[];
  readonly list: boolean;
  readonly install: boolean;
  readonly kubeconfig?: string;
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
  readonly caFile?: string;
  readonly loggingFormat: LogFormat;
  readonly help: boolean;
}

export function usage(): string {
  const heads = flags.map(({ name, value }) => `  --${name}${value ? ` ${value}` : ''}`);
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  const lines = flags.map(({ help, many }, i) => `${heads[i]?.padEnd(width)}${help}${many ? '; may be repeated' : ''}`);
  return `Usage: touchstone webhooks [flags]\n\nServes example admission policies over HTTPS until it is told to stop.\n\n${lines.join('\n')}\n`;
}

/** @throws UsageError */
export function settingsFrom(args: readonly string[]): Settings {
  const values = parse(args);
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const port = Number(text('port') ?? 8443);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError('--port takes a number from 0 to 65535');
  const certFile = text('tls-cert-file');
  const keyFile = text('tls-private-key-file');
  if (!certFile !== !keyFile) throw new UsageError('--tls-cert-file and --tls-private-key-file need each other');
  const url = text('url');
  const service = text('service');
  if (url && service) throw new UsageError('--url and --service exclude each other');
  if (url && !(URL.canParse(url) && url.startsWith('https://'))) throw new UsageError('--url takes an https:// URL');
  return {
    port,
    address: text('bind-address') ?? '127.0.0.1',
    ...(certFile && keyFile && { certFile, keyFile }),
    policies: chosen((values.policy ?? []) as readonly string[]),
    list: values.list === true,
    install: values.install === true,
    ...optional('kubeconfig', text('kubeconfig')),
    ...optional('url', url?.replace(/\/+$/, '')),
    ...(service && { service: serviceFrom(service) }),
    ...optional('caFile', text('ca-file')),
    loggingFormat: formatFrom(text('logging-format') ?? 'text'),
    help: values.help === true,
  };
}

const optional = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in K]?: string };

function parse(args: readonly string[]): Record<string, unknown> {
  const options = flags.map(({ name, value, many = false }) => [
    name,
    {
      type: value ? ('string' as const) : ('boolean' as const),
      multiple: many,
      ...(name === 'help' && { short: 'h' }),
    },
  ]);
  try {
    return { ...parseArgs({ args: [...args], options: Object.fromEntries(options), strict: true }).values };
  } catch (error) {
    throw new UsageError(
      mistyped(
        error,
        flags.map(({ name }) => name),
      ),
    );
  }
}

function chosen(names: readonly string[]): readonly Policy[] {
  const unknown = names.find((name) => !policies.some((policy) => policy.name === name));
  const known = policies.map(({ name }) => name);
  if (unknown !== undefined) throw new UsageError(`${noSuch('policy', unknown, known)}; --list shows them`);
  return names.length > 0 ? policies.filter(({ name }) => names.includes(name)) : policies;
}

function formatFrom(text: string): LogFormat {
  if (text === 'text' || text === 'json') return text;
  throw new UsageError(notTaken('logging-format', text, ['text', 'json']));
}

function serviceFrom(text: string) {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (!namespace || !name || more.length > 0) throw new UsageError('--service takes NAMESPACE/NAME');
  return { namespace, name, port: 443 };
}

/** @throws UsageError for a flag that names a file which nobody can read */
export function checkFiles({ certFile, keyFile, caFile, kubeconfig }: Settings): void {
  const files = { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile, 'ca-file': caFile, kubeconfig };
  const [problem] = fileProblems(files);
  if (problem) throw new UsageError(problem);
}

/** `touchstone webhooks`. Resolves with the exit code once the server has stopped. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const settings = settingsFrom(args);
    if (settings.help) process.stdout.write(usage());
    else if (settings.list)
      for (const { name, about } of settings.policies) process.stdout.write(`${name}: ${about}\n`);
    else {
      checkFiles(settings);
      await run(settings);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`touchstone webhooks: ${trouble(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** In a line, with what to do about a port or an address that is not to be had. */
function trouble(error: unknown): string {
  const { code, message = String(error), port, address } = error as NodeJS.ErrnoException & Partial<Listening>;
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken: choose another with --port, or 0 for a free one`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine: choose one with --bind-address`;
  return message;
}

interface Listening {
  readonly port: number;
  readonly address: string;
}

/** What went wrong. Text tells where too. */
const reports: Readonly<Record<LogFormat, (error: unknown) => void>> = {
  text: (error) => {
    const what = error instanceof Error ? (error.stack ?? error.message) : error;
    process.stderr.write(`${new Date().toISOString()} ${plainEntry(String(what))}\n`);
  },
  json: (error) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level: 'error', message })}\n`);
  },
};

async function run(settings: Settings): Promise<void> {
  const report = reports[settings.loggingFormat];
  // From here on: who ends it as it begins finds it cleared up, too.
  const told = untilTold();
  const { server, reload, upkeep } = await begin(settings, report);
  try {
    reload?.start();
    if (settings.install) await upkeep.start();
    process.stdout.write(`${urlOf(settings, server)}\n`);
    await told;
  } finally {
    reload?.stop();
    upkeep.stop();
    await server.stop();
  }
}

/** Serves, and has what follows the files by which the certificate is renewed, once it is started. */
export async function begin(settings: Settings, report: (error: unknown) => void) {
  const { policies: served, address, port, certFile, keyFile, caFile } = settings;
  const files = certFile && keyFile ? { certFile, keyFile } : undefined;
  let keyPair = files ? readKeyPair(files) : await selfSigned(hostsOf(settings));
  const server = await serve({ policies: served, address, port, keyPair, report });
  const read = () => (caFile ? readFileSync(caFile, 'utf8') : keyPair.cert);
  const upkeep = new AuthorityUpkeep({ read, tell: (authority) => installFor(settings, server, authority), report });
  const take = (next: KeyPair) => {
    server.setKeyPair(next);
    keyPair = next;
    // Those that connect from now on are to trust it.
    upkeep.look();
  };
  return { server, upkeep, reload: files && new CertificateReload(files, keyPair, take, report) };
}

function hostsOf({ address, url, service }: Settings): string[] {
  const named = url
    ? [new URL(url).hostname.replace(/^\[|\]$/g, '')]
    : service
      ? [`${service.name}.${service.namespace}.svc`]
      : [];
  return [...new Set(['localhost', '127.0.0.1', ...(isIP(address) ? [address] : []), ...named])];
}

function urlOf({ url, address }: Settings, { port }: WebhookServer): string {
  // An address that stands for all addresses cannot be called.
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return url ?? `https://${hostInUrl(host)}:${port}`;
}

async function installFor(settings: Settings, server: WebhookServer, authority: string): Promise<void> {
  const reach = { at: settings.service ?? urlOf(settings, server), authority };
  await install(settings.kubeconfig ? { file: settings.kubeconfig } : {}, configurations(settings.policies, reach));
}
