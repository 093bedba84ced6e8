import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { itemsOf } from '../matches.ts';
import { lenient } from '../meddling.ts';

const ingress = 'kinds/networking/ingress.ts';
const ingressRules = 'kinds/networking/ingress-rules.ts';
const ingressBackend = 'kinds/networking/ingress-backend.ts';

const groupless = sabotage('loses the group of a backend', () => ({
  answer: (answer, { path }) => {
    const text = /\/ingresses/.test(path) ? answer.body.toString('utf8') : '';
    const changed = text.replaceAll(/("resource":\{[^}]*?)"apiGroup":"[^"]*",?/g, '$1');
    return changed === text || text === '' ? answer : { ...answer, body: Buffer.from(changed.replaceAll(',}', '}')) };
  },
}));

/** Rules of an Ingress: hosts, paths, path types and backends. */
export default [
  fault('an Ingress may lack its path types', 'ingress', lenient({ method: 'POST', path: /\/ingresses$/ })),
  fault(
    'an exact path of an Ingress is told as a prefix',
    ['ingress'],
    changeAnswer(
      '',
      (body) =>
        edited(body, ['spec', 'rules', '*', 'http', 'paths', '*', 'pathType'], (type) =>
          type === 'Exact' ? 'Prefix' : type,
        ),
      { path: itemsOf('ingresses') },
    ),
  ),
  slip(
    'rules of an Ingress are looked at up to the first',
    ['ingress'],
    ingress,
    "...eachOf(spec.rules, specAt.child('rules'), validateRule),",
    "...eachOf(spec.rules?.slice(0, 1), specAt.child('rules'), validateRule),",
  ),
  slip(
    'rules of an Ingress are not looked at beside a default backend',
    ['ingress'],
    ingress,
    "...eachOf(spec.rules, specAt.child('rules'), validateRule),",
    "...eachOf(spec.defaultBackend ? [] : spec.rules, specAt.child('rules'), validateRule),",
  ),
  slip(
    'a default backend that is a resource is none',
    ['ingress'],
    ingress,
    "if (backend) return validateBackend(backend, specAt.child('defaultBackend'));",
    "if (backend?.service) return validateBackend(backend, specAt.child('defaultBackend'));",
  ),
  slip(
    'an Ingress with rules loses its default backend',
    ['ingress'],
    ingress,
    'if (spec.defaultBackend) defaultBackend(spec.defaultBackend);',
    'if (spec.defaultBackend) defaultBackend(spec.defaultBackend);\n  if (spec.rules?.some(({ http }) => http)) delete spec.defaultBackend;',
  ),
  slip(
    'an Ingress may have neither rules nor a backend',
    'ingress',
    ingress,
    "return rules.length > 0 ? [] : [invalidValue(specAt, rules, 'a default backend or rules are needed')];",
    'return [];',
  ),
  slip(
    'paths of an Ingress are looked at up to the first',
    ['ingress'],
    ingressRules,
    'eachOf(paths, at, validatePath);',
    'eachOf(paths.slice(0, 1), at, validatePath);',
  ),
  slip(
    'a path without a type is a Prefix',
    ['ingress'],
    ingressRules,
    "  if (pathType === undefined) return [required(at.child('pathType'), 'a path type must be given')];\n",
    "  if (pathType === undefined) return validateBackend(backend, at.child('backend'));\n",
  ),
  slip(
    'a path of an Ingress may hide a slash',
    ['ingress'],
    ingressRules,
    "['//', '/./', '/../', '%2f', '%2F']",
    "['//', '/./', '/../']",
  ),
  slip(
    'a path that is anyone’s affair must be given',
    ['ingress'],
    ingressRules,
    'return path ? absolute : [];',
    'return absolute;',
  ),
  slip('a path of an Ingress may hold an escaped slash', 'ingress', ingressRules, "'%2f', '%2F'", "'%2f'"),
  slip('a path of an Ingress may end with two dots', 'ingress', ingressRules, "['/..', '/.']", "['/.']"),
  slip(
    'a path of an Ingress that is anyone’s affair may begin with anything',
    'ingress',
    ingressRules,
    'return path ? absolute : [];',
    'return [];',
  ),
  slip(
    'a rule of an Ingress may be for an address',
    'ingress',
    ingressRules,
    "  ...(host && parseIp(host) ? [invalidValue(at.child('host'), host, 'must be a DNS name, not an IP address')] : []),\n",
    '',
  ),
  slip(
    'the star of a host may stand anywhere',
    ['ingress'],
    ingressRules,
    "host.includes('*') ? wildcardSubdomain(host) : dnsSubdomain(host)",
    "host.includes('*') ? [] : dnsSubdomain(host)",
  ),
  slip(
    'a backend may give its port by name and number at once',
    ['ingress'],
    ingressBackend,
    "if (name && number) return [invalidValue(backend, '', 'only one of port name and port number may be set')];",
    '',
  ),
  slip(
    'a backend of an Ingress may be a service and a resource',
    ['ingress'],
    ingressBackend,
    "if (service && resource) return [invalidValue(at, '', 'only one of service and resource may be set')];",
    '',
  ),
  slip(
    'a default backend may be a service and a resource',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'if (service && resource) return',
    "if (service && resource && !String(at).includes('defaultBackend')) return",
  ),
  slip(
    'an exact path may be left out',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    'return [...absolute, ...ambiguities(path).map(wrong)];',
    "return [...(path || pathType !== 'Exact' ? absolute : []), ...ambiguities(path).map(wrong)];",
  ),
  slip(
    'a service behind an Ingress needs no port',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    "  return [required(backend, 'a port name or a port number is required')];",
    '  return [];',
  ),
  slip(
    'a host of an Ingress may have a port',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    "...(host ? validateHost(host, at.child('host')) : []),",
    "...(host ? validateHost(host.replace(/:[0-9]+$/, ''), at.child('host')) : []),",
  ),
  slip(
    'a path type may be written small',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    '  switch (pathType) {',
    '  switch (pathType.charAt(0).toUpperCase() + pathType.slice(1)) {',
  ),
  fault('a backend that is a resource loses its group', ['ingress'], groupless),
  slip(
    'an ingress may leave out the path of an exact or prefix match',
    ['ingress'],
    ingressRules,
    "const absolute = path.startsWith('/') ?",
    "const absolute = path === '' || path.startsWith('/') ?",
  ),
  slip(
    'a default backend may give its port by name and number',
    'ingress',
    ingressBackend,
    'if (name && number) return',
    "if (name && number && String(backend) !== 'spec.defaultBackend') return",
  ),
  slip(
    'a wildcard needs two labels behind its star',
    'ingress',
    ingressRules,
    "host.includes('*') ? wildcardSubdomain(host)",
    "host.includes('*') ? [...wildcardSubdomain(host), ...(host.split('.').length < 3 ? ['too short'] : [])]",
  ),
  slip(
    'a star of a host may be part of its first label',
    ['ingress'],
    'base/names.ts',
    "text.startsWith('*.') && subdomainPattern.test(text.slice(2))",
    "text.startsWith('*') && subdomainPattern.test(text.slice(1).replace(/^\\./, ''))",
  ),
  slip(
    'a path of an Ingress may hold a slash that is escaped large',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    "'%2f', '%2F']",
    "'%2f']",
  ),
  slip(
    'a path of an Ingress may hold one dot',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    "['//', '/./', '/../'",
    "['//', '/../'",
  ),
  slip(
    'the port of a backend may be any number',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'return portNumber(number).map',
    'return portNumber(Math.max(1, number % 65536)).map',
  ),
  slip(
    'the port of a backend may have any name',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'return portName(name).map',
    'return (name.length > 63 ? portName(name) : []).map',
  ),
  slip(
    'the port of a backend may have a long name',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'return portName(name).map',
    'return portName(name.slice(0, 15)).map',
  ),
  slip(
    'a resource behind an Ingress needs no kind',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'return validateTypedReference(resource,',
    "return validateTypedReference({ ...resource, kind: resource.kind || 'X' },",
  ),
  slip(
    'a resource behind an Ingress needs no name',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'return validateTypedReference(resource,',
    "return validateTypedReference({ ...resource, name: resource.name || 'x' },",
  ),
  slip(
    'a service behind an Ingress may have any name',
    ['ingress'],
    'kinds/networking/ingress-backend.ts',
    'requiredName(name, dns1035Label,',
    'requiredName(name && name.toLowerCase().replace(/[._]/g, "-"), dns1035Label,',
  ),
  slip(
    'a rule of an Ingress needs paths',
    ['ingress'],
    'kinds/networking/ingress-rules.ts',
    '...(http ? validatePaths(http.paths ?? [],',
    '...(host ? validatePaths(http?.paths ?? [],',
  ),
  slip(
    'a host with a wildcard may have any length',
    ['component'],
    'base/names.ts',
    'bytes(text) > 253 ? [tooLong(253)] : []',
    'bytes(text) > 2530 ? [tooLong(253)] : []',
  ),
];
