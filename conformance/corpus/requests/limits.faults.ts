import { sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { refusal } from '../meddling.ts';

/** How large what is sent may be, and whose requests wait. */
export default [
  slip(
    'a body may be twice as large as it may',
    ['limits'],
    'request/body.ts',
    'const maxBodyBytes = 3 * 1024 * 1024;',
    'const maxBodyBytes = 6 * 1024 * 1024;',
  ),
  slip(
    'of two flow schemas of one precedence the last by name counts',
    ['service', 'component'],
    'request/flow-control/classifier.ts',
    "< (other.metadata.name ?? '') ? -1 : 1);",
    "< (other.metadata.name ?? '') ? 1 : -1);",
  ),
  slip(
    'a flow schema cannot speak of service accounts',
    ['component', 'impersonate'],
    'kinds/flowcontrol/flow-schema.ts',
    ", ServiceAccount: 'serviceAccount'",
    '',
  ),
  slip(
    'aliases of YAML may bring in as much as they like',
    ['limits', 'content'],
    'schema/yaml/yaml.ts',
    "if (++this.#repeated > repeatBudget) throw mistake('document contains excessive aliasing');",
    '',
  ),
  slip(
    'what admission or defaults add to a small object is not weighed',
    ['limits', 'webhook'],
    'registry/steps/steps.ts',
    'ofFewBytes: mayGrow ? busy : busy.filter((step) => !aboutSize.includes(step)),',
    'ofFewBytes: (busy.filter((step) => !aboutSize.includes(step))),',
  ),
  slip(
    'a flow schema for all namespaces holds for what is in none',
    ['errors', 'paths'],
    'request/flow-control/matcher.ts',
    '(asked.namespace ? namespace(asked.namespace) : clusterScope === true);',
    "(namespace(asked.namespace) || (asked.namespace === '' && clusterScope === true));",
  ),
  fault(
    'what is longer than 64 KiB cannot be stored',
    ['limits', 'fields'],
    sabotage('refuses long bodies', () => ({
      request: (request) => (request.body.length > 64 * 1024 ? refusal(500, 'InternalError') : request),
    })),
  ),
  slip(
    'a flow schema for every group is for none',
    ['limits'],
    'request/flow-control/matcher.ts',
    "({ groups }) => group?.name === '*' || groups.includes(group?.name ?? '');",
    "({ groups }) => groups.includes(group?.name ?? '');",
  ),
  slip(
    'a body that comes in chunks may be as long as it likes',
    ['limits', 'component'],
    'request/body.ts',
    'if (size > maxBodyBytes) {',
    'if (size > 1000 * maxBodyBytes) {',
  ),
  slip(
    'a body of just the most bytes is too long',
    ['limits', 'component'],
    'request/body.ts',
    'Number(length) > maxBodyBytes',
    'Number(length) >= maxBodyBytes',
  ),
  slip(
    'a body of just the most bytes that comes in chunks is too long',
    ['limits', 'component'],
    'request/body.ts',
    'if (size > maxBodyBytes) {',
    'if (size >= maxBodyBytes) {',
  ),
];
