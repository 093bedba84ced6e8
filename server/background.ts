import { publishAuthentication } from './authn/published-authentication.ts';
import type { FrontProxy } from './certificates/front-proxy.ts';
import type { Closers } from './closers.ts';
import { converterOf } from './custom-resources/conversion.ts';
import { customResourceDefinition } from './custom-resources/definition/definition.ts';
import { CustomResourceLifeCycle } from './custom-resources/life-cycle.ts';
import { reachService } from './kinds/core/service/reach.ts';
import type { ServerOptions } from './options/options.ts';
import { storeBootstrapObjects } from './registry/standing/bootstrap.ts';
import { LocalApiServices } from './registry/standing/local-api-services.ts';
import { keepStanding } from './registry/standing/standing-objects.ts';
import { askBackend } from './request/aggregation/ask-backend.ts';
import { followBackends } from './request/aggregation/availability.ts';
import type { Life } from './request/life.ts';
import type { RequestServices } from './request/services.ts';
import { startCompaction } from './store/compaction.ts';

interface Beside {
  readonly closers: Closers;
  readonly life: Pick<Life, 'reached'>;
  readonly proxy: FrontProxy;
}

/** Begins what a server does besides answering requests: everything that follows the store or the clock. */
export async function startBackground(
  services: RequestServices,
  options: ServerOptions,
  { closers, life, proxy }: Beside,
): Promise<void> {
  const { store, clock, timers, log } = services;
  await storeBootstrapObjects(services, services.resources);
  const publish = () => publishAuthentication(services, options, proxy.published);
  await publish();
  services.authentication.onAuthoritiesChanged(() => {
    publish().catch((error: unknown) => log.error('authorities of clients', error));
  });
  const standing = { ...services, report: (error: unknown) => log.error('standing objects', error) };
  closers.add(await keepStanding(standing));
  life.reached('objects');
  for (const rules of new Set([...services.resources.all()].map((resource) => resource.rules))) {
    const report = (error: unknown) => log.error(`${rules.kind}: work beside requests`, error);
    if (rules.start) closers.add(await rules.start({ store, clock, timers, report }));
  }
  life.reached('kinds');
  await serveAggregated(services, closers);
  const apiServices = new LocalApiServices({
    ...services,
    report: (error) => log.error('APIServices', error),
  });
  closers.add(() => apiServices.stop());
  const customResources = await serveCustomResources(services, apiServices);
  closers.add(() => customResources.stop());
  life.reached('customResources');
  await apiServices.start(services.resources.all());
  life.reached('apiServices');
  closers.add(startCompaction(store, { interval: options.etcdCompactionInterval, timers }));
}

/** Follows who serves groups behind this server, and whether they do. */
async function serveAggregated(services: RequestServices, closers: Closers): Promise<void> {
  const { store, lookup, backends, aggregated, log } = services;
  const following = await aggregated.follow(store);
  closers.add(() => following.stop());
  const ask = askBackend(reachService(lookup, backends.through));
  const stop = await followBackends({
    ...services,
    read: aggregated.read,
    ask: async (api) => void (await ask(api, `/apis/${api.group}/${api.version}`, 4 << 20)),
    report: (error) => log.error('APIServices of others', error),
  });
  closers.add(stop);
}

/** Serves what definitions in the store ask for, from now on and as they change. */
async function serveCustomResources(
  services: RequestServices,
  apiServices: LocalApiServices,
): Promise<CustomResourceLifeCycle> {
  const { store, clock, timers, ids, resources, log } = services;
  const addressOf = reachService(services.lookup, services.backends.through);
  const lifeCycle = new CustomResourceLifeCycle({
    store,
    clock,
    timers,
    definitions: customResourceDefinition,
    converterOf: (definition) => converterOf(definition, { ids, addressOf }),
    publish(custom) {
      resources.setCustom(custom);
      apiServices.serve(resources.all());
    },
    report: (error) => log.error('custom resources', error),
  });
  await lifeCycle.start();
  return lifeCycle;
}
