import { documented, implied, type PartyRule } from '../../party.ts';
import { classAnnotation, type IngressContext } from '../context.ts';
import { backendOf, onHost } from '../specs.ts';

/** Which host a request must name. */
export const hostRules: readonly PartyRule<IngressContext>[] = [
  // A precise host is met by just itself.
  documented('ingress.host.match-precise', {
    fault: 'host-by-suffix',
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [host, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(host, await service([one]))] });
      await reaches({ host }, one);
      await misses({ host: `sub.${host}` }, one);
      await misses({ host: `other-${host}` }, one);
    },
  }),
  implied(
    'ingress.host.as-sent',
    {
      statement: 'Clients name the port in the host header where it is not the usual one, and names know no capitals.',
      from: ['ingress.host.match-precise', 'ingress.host.match-wildcard'],
    },
    {
      fault: ['minds-port', 'minds-case'],
      async check({ backend, service, ingress, reaches, domain }) {
        const [host, suffix, one] = [domain(), domain(), await backend()];
        const target = await service([one]);
        await ingress({ rules: [onHost(host, target), onHost(`*.${suffix}`, target)] });
        for (const name of [host, `a.${suffix}`])
          for (const sent of [name, `${name}:8080`, name.toUpperCase()]) await reaches({ host: sent }, one);
      },
    },
  ),
  // A wildcard is met by what ends like it after one label.
  documented('ingress.host.match-wildcard', {
    fault: 'no-wildcards',
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [suffix, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(`*.${suffix}`, await service([one]))] });
      await reaches({ host: `a.${suffix}` }, one);
      await reaches({ host: `other-label.${suffix}` }, one);
      await misses({ host: `a.x${suffix}` }, one);
    },
  }),
  // The `*` stands for one label.
  documented('ingress.host.wildcard.one-label', {
    fault: ['deep-wildcards', 'wildcard-bare'],
    async check({ backend, service, ingress, reaches, misses, domain }) {
      const [suffix, one] = [domain(), await backend()];
      await ingress({ rules: [onHost(`*.${suffix}`, await service([one]))] });
      await reaches({ host: `a.${suffix}` }, one);
      await misses({ host: `b.a.${suffix}` }, one);
      await misses({ host: suffix }, one);
    },
  }),
  // A rule without a host is for all hosts.
  documented('ingress.host.unset', {
    fault: 'needs-host',
    async check({ backend, service, ingress, reaches, unique, domain }) {
      const [one, path] = [await backend(), `/${unique()}`];
      await ingress({ rules: [onHost(undefined, await service([one]), path)] });
      for (const host of [domain(), domain(), `a.b.${domain()}`]) await reaches({ host, path }, one);
    },
  }),
  // Controllers still go by that annotation.
  documented('ingress.class-annotation.honoured', {
    fault: 'ignores-annotation',
    async check({ backend, service, ingress, reaches, domain, candidate: { className }, skip }) {
      if (className === undefined) skip('the controller has no class to ask for; --class names one');
      const [host, one] = [domain(), await backend()];
      const metadata = { annotations: { [classAnnotation]: className } };
      await ingress({ rules: [onHost(host, await service([one]))] }, { metadata });
      await reaches({ host }, one);
    },
  }),
  implied(
    'ingress.class.of-others',
    { statement: 'An Ingress of another class is not served.', from: ['ingress.class-name'] },
    {
      fault: 'takes-all-classes',
      async check({ backend, service, ingress, ingressClasses, reaches, misses, domain, unique }) {
        const [theirs, ours, one, two] = [domain(), domain(), await backend(), await backend()];
        const other = await ingressClasses.create({
          metadata: { name: unique() },
          spec: { controller: 'example.com/somebody-else' },
        });
        await ingress({ ingressClassName: other.metadata.name, rules: [onHost(theirs, await service([one]))] });
        await ingress({ rules: [onHost(ours, await service([two]))] });
        // By then the controller knows the older one, too.
        await reaches({ host: ours }, two);
        await misses({ host: theirs }, one);
      },
    },
  ),
  // A service backend is in the namespace of the Ingress.
  documented('ingress.backend.service.same-namespace', {
    fault: 'any-namespace',
    async check({ backend, service, ingress, reaches, misses, domain, unique, extraNamespace }) {
      const [host, lost, here, there] = [domain(), domain(), await backend(), await backend()];
      const [name, elsewhere] = [unique('svc'), unique('svc')];
      const namespace = await extraNamespace();
      for (const each of [name, elsewhere]) await service([there], { name: each, namespace });
      await service([here], { name });
      await ingress({ rules: [onHost(lost, backendOf(elsewhere, 80)), onHost(host, backendOf(name, 80))] });
      await reaches({ host }, here);
      await misses({ host }, there);
      await misses({ host: lost }, there);
    },
  }),
];
