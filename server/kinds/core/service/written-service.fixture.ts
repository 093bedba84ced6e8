import { StatusError } from '../../../base/status-error.ts';
import { allOf } from '../../faults.fixture.ts';
import { sample } from '../../kind-write.fixture.ts';
import type { WriteContext } from '../../strategy.ts';
import { serviceAllocator } from './allocator.ts';
import { serviceWith } from './service.ts';
import type { Service, ServiceSpec } from './shape.ts';

export const addresses = (clusterIpRange = '10.0.0.0/24') =>
  serviceAllocator({ clusterIpRange, nodePortRange: '30000-30100', random: () => 0 });

export const service = serviceWith(addresses());

export const context = (dryRun = false) =>
  ({ dryRun, clock: { now: () => 0 }, onAbandon() {} }) as unknown as WriteContext;

const causesOf = (error: unknown) => {
  if (!(error instanceof StatusError) || error.status.code !== 422) throw error;
  return (error.status.details?.causes ?? []).map(
    ({ field, reason }) => `${field} ${reason?.slice('FieldValue'.length)}`,
  );
};

interface Outcome {
  readonly spec: ServiceSpec;
  readonly object: Service;
  readonly causes: readonly string[];
}

/** What becomes of a new Service with this spec, and what is wrong with it. */
export async function create(spec: object, from = addresses(), name = 'x'): Promise<Outcome> {
  const object = sample(service, { spec: { ports: [{ port: 80 }], ...spec } }, { name, namespace: 'n' }) as Service;
  service.default?.(object);
  try {
    await serviceWith(from).prepareCreate?.(object, context());
  } catch (error) {
    return { object, spec: object.spec ?? {}, causes: causesOf(error) };
  }
  const causes = allOf(service.validate?.(object, context())).map(
    ({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`,
  );
  if (causes.length === 0) from.follow(undefined, object);
  return { object, spec: object.spec ?? {}, causes };
}

/** The same of a change of one. */
export async function update(
  stored: Service,
  change: (spec: ServiceSpec) => unknown,
  from = addresses(),
): Promise<Outcome> {
  const object = structuredClone(stored);
  change(object.spec ?? {});
  service.default?.(object);
  try {
    await serviceWith(from).prepareUpdate?.(object, stored, context());
  } catch (error) {
    return { object, spec: object.spec ?? {}, causes: causesOf(error) };
  }
  const errors = [
    ...allOf(service.validate?.(object, context())),
    ...allOf(service.validateUpdate?.(object, stored, context())),
  ];
  const causes = errors.map(({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`);
  return { object, spec: object.spec ?? {}, causes };
}
