import { notFound, serviceUnavailable } from '../../../base/status-error.ts';
import type { Operation } from '../../strategy.ts';
import { addSlash, readName, toPod } from '../connections.ts';
import type { Endpoints } from '../endpoints.ts';
import type { Service } from './shape.ts';

/** The name under which endpoints list the port that is asked for by name or number; one alone need not be said. */
function portName({ spec = {} }: Service, asked: string): string {
  const ports = spec.ports ?? [];
  if (!asked && ports.length === 1) return ports[0]?.name ?? '';
  const numbered = ports.find(({ port }) => String(port) === asked);
  return numbered ? (numbered.name ?? '') : asked;
}

/** Leads to one of the service's endpoints. */
export const serviceProxy: Operation = async (input) => {
  const { namespace, name, context, lacksSlash } = input;
  const { plain, port, scheme } = readName(name);
  const service = (await context.lookup.get('', 'services', namespace, plain)) as Service | undefined;
  if (!service) throw notFound({ group: '', resource: 'services' }, plain);
  const endpoints = (await context.lookup.get('', 'endpoints', namespace, plain)) as Endpoints | undefined;
  if (!endpoints) throw notFound({ group: '', resource: 'endpoints' }, plain);
  const wanted = portName(service, port);
  const [chosen] = (endpoints.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
    const number = ports.find((each) => (each.name ?? '') === wanted)?.port;
    return number ? addresses.map(({ ip = '', nodeName }) => ({ ip, nodeName, port: number })) : [];
  });
  if (!chosen) throw serviceUnavailable(`no endpoints available for service "${name}"`);
  if (lacksSlash) return addSlash;
  return { forward: await toPod(input, chosen.nodeName, { host: chosen.ip, port: chosen.port, scheme }) };
};
