import { edited } from '../../sabotage/edited.ts';
import { answerWith, statusObject } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { lenient, wherever } from '../meddling.ts';

const ingress = 'kinds/networking/ingress.ts';

/** Classes, TLS and status of an Ingress. */
export default [
  fault(
    'the status of an Ingress takes JSON patches alone',
    ['ingress', 'verbs'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      path: /\/ingresses\/[^/]+\/status$/,
      header: { 'content-type': /merge-patch/ },
    }),
  ),
  slip(
    'a port of a load balancer speaks TCP, whatever it says',
    ['ingress'],
    ingress,
    "      port.protocol ??= '';\n",
    "      port.protocol = 'TCP';\n",
  ),
  slip(
    'an update of an Ingress forgets its status',
    ['ingress'],
    ingress,
    '    keepStatus(next, previous);\n',
    '    next.status = { loadBalancer: {} };\n',
  ),
  slip(
    'the hosts of the tls of an Ingress have no stars',
    ['ingress'],
    ingress,
    "...eachOf(hosts, here.child('hosts'), validateHost),",
    "...eachOf(hosts, here.child('hosts'), (host, at) => dnsSubdomain(host).map((problem) => invalidValue(at, host, problem))),",
  ),
  slip(
    'what is wrong with a port of a load balancer is not told',
    ['ingress'],
    ingress,
    "      port.protocol ??= '';",
    "      port.protocol ??= '';\n      delete (port as { error?: string }).error;",
  ),
  slip(
    'an Ingress keeps the Secret of its first tls alone',
    ['ingress'],
    ingress,
    "for (const tls of spec.tls ?? []) if (tls.secretName === '') delete tls.secretName;",
    "for (const [at, tls] of (spec.tls ?? []).entries()) if (tls.secretName === '' || at > 0) delete tls.secretName;",
  ),
  slip(
    'why a port of a load balancer is not open is lost',
    ['ingress'],
    ingress,
    "port.protocol ??= '';",
    "port.protocol ??= '';\n      delete (port as { error?: string }).error;",
  ),
  slip(
    'what an Ingress becomes by an update is not looked at',
    ['ingress'],
    ingress,
    '  validate,\n  validateCreate: classOnce,',
    '  validateCreate: (object) => [...validate(object), ...classOnce(object)],',
  ),
  slip(
    'an Ingress may have its class twice',
    'ingress',
    ingress,
    'if (annotation === undefined || spec?.ingressClassName === undefined) return [];',
    'return [];',
  ),
  slip(
    'the hosts of the tls of an Ingress may be anything',
    'ingress',
    ingress,
    "    ...eachOf(hosts, here.child('hosts'), validateHost),\n",
    '',
  ),
  slip(
    'the Secret of tls may have any name',
    ['ingress'],
    ingress,
    "    ...named(secretName, dnsSubdomain, here.child('secretName')),\n",
    '',
  ),
  slip('a load balancer may be reached at any text', ['ingress'], ingress, '...(ip && !parseIp(ip) ?', '...(false ?'),
  slip(
    'the class of an Ingress may have any name',
    ['ingress'],
    ingress,
    '  ...validateClassName(spec.ingressClassName),\n',
    '',
  ),
  slip(
    'the host name of a load balancer may be an address',
    ['ingress'],
    ingress,
    '...(hostname && parseIp(hostname)',
    '...(hostname && parseIp(hostname) && ip',
  ),
  slip(
    'parameters of an IngressClass in a namespace need not say in which',
    ['ingress'],
    'kinds/networking/ingress-class.ts',
    "...(scope === 'Namespace' ? namespaceNamed(namespace) : []),",
    "...(scope === 'Namespace' && namespace !== undefined ? namespaceNamed(namespace) : []),",
  ),
  slip(
    'an Ingress that names its class in the old way gets the default one',
    ['ingress', 'admission'],
    'admission/plugins/default-ingress-class.ts',
    'if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.[oldAnnotation] !== undefined)',
    'if (ingress.spec?.ingressClassName !== undefined)',
  ),
  slip(
    'an empty class of an Ingress is dropped',
    ['ingress', 'fields'],
    'schema/pointers.ts',
    "  'networking.v1.IngressSpec': 'ingressClassName',\n",
    '',
  ),
  slip(
    'hosts of the second tls of an Ingress are lost',
    ['ingress'],
    'kinds/networking/ingress.ts',
    "for (const tls of spec.tls ?? []) if (tls.secretName === '') delete tls.secretName;",
    "for (const [at, tls] of (spec.tls ?? []).entries()) if (tls.secretName === '' || at > 0) delete tls[at > 0 ? 'hosts' : 'secretName'];",
  ),
  fault(
    'a load balancer of an Ingress has one point',
    ['ingress'],
    wherever(
      (body) =>
        edited(body, ['status', 'loadBalancer', 'ingress'], (points) =>
          Array.isArray(points) ? points.slice(0, 1) : points,
        ),
      /\/ingresses\//,
    ),
  ),
  fault(
    'what is no Ingress may become one by a JSON patch',
    ['component'],
    lenient({ method: 'PATCH', path: /\/ingresses\/[^/]+$/, header: { 'content-type': /json-patch/ } }, [422]),
  ),
  slip(
    'an update of an ingress takes its status away',
    ['ingress', 'state'],
    ingress,
    'prepareUpdate: (next, previous) => {\n    keepStatus(next, previous);\n  },',
    'prepareUpdate: (next) => {\n    next.status = { loadBalancer: {} };\n  },',
  ),
  slip(
    'the default backend of an Ingress is not looked at where there are rules besides',
    ['ingress'],
    'kinds/networking/ingress.ts',
    'if (backend) return validateBackend',
    'if (backend && rules.length === 0) return validateBackend',
  ),
  slip(
    'an Ingress cannot come to have its class twice',
    ['component'],
    'kinds/networking/ingress.ts',
    'validateCreate: classOnce,',
    'validateCreate: classOnce,\n  validateUpdate: classOnce,',
  ),
  slip(
    'tls of an Ingress needs a Secret',
    ['ingress'],
    'kinds/networking/ingress.ts',
    "...named(secretName, dnsSubdomain, here.child('secretName')),",
    "...(secretName ? named(secretName, dnsSubdomain, here.child('secretName')) : [invalidValue(here, '', 'required')]),",
  ),
  slip(
    'of the hosts of a certificate of an Ingress the first is looked at',
    ['component', 'ingress'],
    ingress,
    "...eachOf(hosts, here.child('hosts'), validateHost),",
    "...eachOf(hosts?.slice(0, 1), here.child('hosts'), validateHost),",
  ),
  slip(
    'of the certificates of an Ingress the first is looked at',
    ['component', 'ingress'],
    ingress,
    "...eachOf(spec.tls, specAt.child('tls'),",
    "...eachOf(spec.tls?.slice(0, 1), specAt.child('tls'),",
  ),
  slip(
    'parameters of a class may be in a namespace by any name',
    ['component'],
    'kinds/networking/ingress-class.ts',
    "scope === 'Namespace' ? namespaceNamed(namespace) : []",
    '[]',
  ),
  slip(
    'the controller of an IngressClass may be a letter longer than it may',
    ['component'],
    'kinds/networking/ingress-class.ts',
    'const maxController = 250;',
    'const maxController = 251;',
  ),
  slip(
    'the controller of a class of Ingresses may have any domain',
    ['component'],
    'base/names.ts',
    '    ...dnsSubdomain(text.slice(0, slash)).map((problem) => `the domain ${problem}`),\n    ...(schemePath',
    '    ...(schemePath',
  ),
  slip(
    'an Ingress with certificates alone leads somewhere',
    'ingress',
    'kinds/networking/ingress.ts',
    '...validateDestination(spec),',
    '...(spec.tls?.length && !spec.defaultBackend ? [] : validateDestination(spec)),',
  ),
];
