import { fileProblems } from '../file-trouble.ts';
import { UsageError } from '../mistyped.ts';
import { controllerFlags, type FlagValues, optionOf } from './flags.ts';

/** @throws UsageError for a flag that names a file which nobody can read */
export function checkFiles(flags: Partial<FlagValues>): void {
  const values = flags as Readonly<Record<string, string | undefined>>;
  const names = controllerFlags.map(({ name }) => name).filter((name) => /^kubeconfig$|-file$/.test(name));
  const [problem] = fileProblems(Object.fromEntries(names.map((name) => [name, values[optionOf(name)]])));
  if (problem) throw new UsageError(problem);
}

type Places = Partial<Pick<FlagValues, 'metricsBindAddress' | 'ingressHttpPort' | 'ingressHttpsPort'>>;

/** Why nothing runs, in a line, and what to do about a port or an address that is not to be had. */
export function troubleOf(error: unknown, places: Places): string {
  const { code, message = String(error), port, address } = error as NodeJS.ErrnoException & Partial<Listening>;
  if (port === undefined) return message;
  const flag = flagOf(port, places);
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken: choose another with ${flag}, or 0 for a free one`;
  if (code === 'EACCES') return `port ${port} is for the system alone: choose one from 1024 up with ${flag}`;
  return message;
}

interface Listening {
  readonly port: number;
  readonly address: string;
}

function flagOf(port: number, { metricsBindAddress = '', ingressHttpPort, ingressHttpsPort }: Places): string {
  if (metricsBindAddress.endsWith(`:${port}`)) return '--metrics-bind-address';
  return port === ingressHttpsPort && port !== ingressHttpPort ? '--ingress-https-port' : '--ingress-http-port';
}
