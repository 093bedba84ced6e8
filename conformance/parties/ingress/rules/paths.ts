import { documented, implied, type PartyRule } from '../../party.ts';
import type { IngressContext } from '../context.ts';
import { onHost, pathTo, withPaths } from '../specs.ts';

/** Which path a request must have. */
export const pathRules: readonly PartyRule<IngressContext>[] = [
  // The rules of an Ingress lead connections to services.
  documented('ingress.routes', {
    fault: 'unmatched-anywhere',
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [host, other, one, two] = [domain(), domain(), await backend(), await backend()];
      const [first, second] = [await service([one]), await service([two])];
      await ingress({
        rules: [withPaths(host, [pathTo(first, '/one'), pathTo(second, '/two')]), onHost(other, second, '/one')],
      });
      await reaches({ host, path: '/one' }, one);
      await reaches({ host, path: '/two' }, two);
      await reaches({ host: other, path: '/one' }, two);
      await misses({ host: domain(), path: '/one' }, one, two);
      await misses({ host: other, path: '/three' }, one, two);
    },
  }),
  implied(
    'ingress.routes.shared-host',
    { statement: 'Several Ingresses have rules for one host, and all of them hold.', from: ['ingress.routes'] },
    {
      fault: 'one-ingress-per-host',
      async check({ backend, service, ingress, reaches, domain }) {
        const [host, one, two] = [domain(), await backend(), await backend()];
        await ingress({ rules: [onHost(host, await service([one]), '/one')] });
        await ingress({ rules: [onHost(host, await service([two]), '/two')] });
        await reaches({ host, path: '/two' }, two);
        await reaches({ host, path: '/one' }, one);
      },
    },
  ),
  // An `Exact` path is met by just itself.
  documented('ingress.path-type.exact', {
    fault: ['exact-as-prefix', 'exact-ignores-slash', 'caseless-paths'],
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [host, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(host, await service([one]), '/foo/bar', 'Exact')] });
      await reaches({ host, path: '/foo/bar' }, one);
      for (const path of ['/foo/bar/baz', '/foo', '/foo/barbaz', '/foo/Bar', '/foo/bar/'])
        await misses({ host, path }, one);
      await reaches({ host, path: '/foo/bar?query=1' }, one);
    },
  }),
  // A `Prefix` path is met by whole elements: `/foo/bar` by `/foo/bar/baz`, not by `/foo/barbaz`.
  documented('ingress.path-type.prefix', {
    fault: ['prefix-by-letters', 'prefix-as-exact', 'caseless-paths'],
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [host, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(host, await service([one]), '/foo/bar')] });
      for (const path of ['/foo/bar', '/foo/bar/baz', '/foo/bar/']) await reaches({ host, path }, one);
      for (const path of ['/foo/barbaz', '/foo', '/x/foo/bar', '/FOO/bar']) await misses({ host, path }, one);
    },
  }),
  // What `ImplementationSpecific` means is up to the class.
  documented('ingress.path-type.implementation-specific', {
    fault: 'no-implementation-specific',
    async check({ backend, service, ingress, reaches, domain }) {
      const [host, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(host, await service([one]), '/as-it-is', 'ImplementationSpecific')] });
      // Whatever else it takes the path for, it is taken.
      await reaches({ host, path: '/as-it-is' }, one);
    },
  }),
  // Who implements Ingress implements every type of path.
  documented('ingress.path-type.all-supported', {
    fault: ['no-implementation-specific', 'no-exact', 'no-prefix'],
    async check({ backend, service, ingress, reaches, domain }) {
      const [host, one, two, three] = [domain(), await backend(), await backend(), await backend()];
      const paths = [
        pathTo(await service([one]), '/exact', 'Exact'),
        pathTo(await service([two]), '/prefix', 'Prefix'),
        pathTo(await service([three]), '/specific', 'ImplementationSpecific'),
      ];
      await ingress({ rules: [withPaths(host, paths)] });
      await reaches({ host, path: '/exact' }, one);
      await reaches({ host, path: '/prefix/more' }, two);
      await reaches({ host, path: '/specific' }, three);
    },
  }),
];
