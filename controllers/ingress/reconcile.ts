import { networkInterfaces } from 'node:os';
import type { ControllerOptions } from '../options.ts';
import { isAlreadyExists, isNotFound } from '../runtime/api-error.ts';
import { bringing, type Index, indexBy, itself, type Loop, type Read, type Request } from '../runtime/controller.ts';
import { isDeleting, keyFor, keyOf, labelsOf, namespaceOf } from '../runtime/kube-object.ts';
import {
  type EndpointSlice,
  endpointSlices,
  type Ingress,
  ingressClasses,
  ingresses,
  type Secret,
  secrets,
  services,
} from '../runtime/resources.ts';
import type { Surroundings } from '../runtime/run-loop.ts';
import { planCertificates } from './certificates.ts';
import { classFor, isOurs, ownClasses } from './classes.ts';
import { endpointsOf } from './endpoints.ts';
import { Gateway } from './gateway.ts';
import { planRoutes } from './plan.ts';
import { type Point, pointsOf, shows } from './status.ts';

type Options = Pick<
  ControllerOptions,
  'ingressAddress' | 'ingressHttpPort' | 'ingressHttpsPort' | 'ingressPublishAddress' | 'ingressClass' | 'log'
>;

/** What the loops share. */
interface Serving {
  readonly gateway: Gateway;
  readonly className: string;
  readonly point: Point;
}

/** The loops of the ingress controller. It listens when they are there. @throws Error when a port is taken */
export async function ingressLoops(
  options: Options,
  { clock, podNetwork, signal }: Pick<Surroundings, 'clock' | 'podNetwork' | 'signal'>,
): Promise<readonly Loop[]> {
  const { ingressAddress: address, ingressHttpPort: httpPort, ingressHttpsPort: httpsPort } = options;
  const gateway = new Gateway({ address, httpPort, httpsPort, clock, way: podNetwork.connect });
  await gateway.open();
  signal.addEventListener('abort', () => void gateway.destroy(), { once: true });
  const host = options.ingressPublishAddress ?? reachable(address);
  const serving = { gateway, className: options.ingressClass, point: { host, ...gateway.ports } };
  options.log.info(`ingress: http://${host}:${serving.point.httpPort} https://${host}:${serving.point.httpsPort}`);
  return [routeLoop(serving), endpointLoop(serving), certificateLoop(serving), statusLoop(serving)];
}

/** Who listens everywhere is reached at an address of this machine. */
function reachable(address: string): string {
  if (address !== '0.0.0.0' && address !== '::') return address;
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const [first] = all.filter(({ internal, family }) => !internal && (address === '::' || family === 'IPv4'));
  return first?.address ?? '127.0.0.1';
}

const ownIngresses = (read: Read, className: string): readonly Ingress[] => {
  const own = ownClasses(read(ingressClasses).all(), className);
  return read(ingresses)
    .all()
    .filter((ingress) => !isDeleting(ingress) && isOurs(ingress, own));
};

const everything = 'routes';

/** All routes are made anew whenever an Ingress changes: they are few, and each may take from another. */
const routeLoop = ({ gateway, className }: Serving): Loop => ({
  name: 'ingress-routes',
  seeds: [everything],
  watches: [bringing(ingresses, () => [everything]), bringing(ingressClasses, () => [everything])],
  feed: () => () => gateway.close(),
  async reconcile({ read, write }) {
    const own = ownIngresses(read, className);
    gateway.route(planRoutes(own), planCertificates(own));
    if (!read(ingressClasses).find(className)) await makeClass(write, className);
    return undefined;
  },
});

async function makeClass(write: Request['write'], name: string): Promise<void> {
  try {
    await write(ingressClasses).create(classFor(name));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

const serviceLabel = 'kubernetes.io/service-name';
const byService = 'service';

const serviceOf = (slice: EndpointSlice): readonly string[] => {
  const name = labelsOf(slice)[serviceLabel];
  return name ? [keyFor(namespaceOf(slice), name)] : [];
};

const slicesByService: Index = indexBy(endpointSlices, byService, serviceOf);

const endpointLoop = ({ gateway }: Serving): Loop => ({
  name: 'ingress-endpoints',
  watches: [itself(services), bringing(endpointSlices, serviceOf)],
  indexes: [slicesByService],
  async reconcile({ key, read }) {
    const service = read(services).find(key);
    gateway.backends.set(key, service && endpointsOf(service, read(endpointSlices).indexed(byService, key)));
    return undefined;
  },
});

const isCertificate = ({ type }: Secret): boolean => type === 'kubernetes.io/tls';

const certificateLoop = ({ gateway }: Serving): Loop => ({
  name: 'ingress-certificates',
  watches: [itself(secrets, isCertificate)],
  async reconcile({ key, read, log }) {
    const { data } = read(secrets).find(key) ?? {};
    const [cert, key_] = [textOf(data?.['tls.crt']), textOf(data?.['tls.key'])];
    try {
      gateway.certify(key, cert && key_ ? { cert, key: key_ } : undefined);
    } catch (error) {
      // What was there before goes on; only another change can help.
      log.error('no certificate with its key', error);
    }
    return undefined;
  },
});

const textOf = (data = ''): string => Buffer.from(data, 'base64').toString();

/** Says in the status of each Ingress where it is served; takes that back when it is somebody else's. */
const statusLoop = ({ className, point }: Serving): Loop => ({
  name: 'ingress-status',
  watches: [itself(ingresses), bringing(ingressClasses, (_, read) => read(ingresses).all().map(keyOf))],
  concurrency: 4,
  async reconcile({ key, read, write }) {
    const ingress = read(ingresses).find(key);
    if (!ingress || isDeleting(ingress)) return undefined;
    const points = pointsOf(ingress, point);
    const ours = isOurs(ingress, ownClasses(read(ingressClasses).all(), className));
    if (shows(ingress, points) === ours) return undefined;
    try {
      await write(ingresses).patch(ingress, { status: { loadBalancer: { ingress: ours ? points : null } } }, 'status');
    } catch (error) {
      // Gone: nothing is left to say.
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  },
});
