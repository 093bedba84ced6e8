import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dns1035Label, dnsSubdomain, pathSegmentName } from '../../base/names.ts';
import { formatTime } from '../../base/time/clock.ts';
import { eachOf, oneOf, portNumber, requiredText } from '../field-rules.ts';
import { checkedStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { type ApiService, available } from './api-service-shape.ts';

const at = FieldPath.of('spec');
const highestGroupPriority = 20_000;
const highestVersionPriority = 1_000;

const within = (value: number | undefined, most: number, here: FieldPath): FieldError[] =>
  value !== undefined && value >= 1 && value <= most
    ? []
    : [invalidValue(here, value ?? 0, `must be positive and less than ${most}`)];

/** A group that the server serves itself is held by nobody else. */
function validateBackend({ service, insecureSkipTLSVerify, caBundle }: NonNullable<ApiService['spec']>): FieldError[] {
  if (!service)
    return [
      ...(caBundle ? [invalidValue(at.child('caBundle'), '', 'local APIServices may not have a caBundle')] : []),
      ...(insecureSkipTLSVerify
        ? [
            invalidValue(
              at.child('insecureSkipTLSVerify'),
              true,
              'local APIServices may not have insecureSkipTLSVerify',
            ),
          ]
        : []),
    ];
  const here = at.child('service');
  return [
    ...requiredText(service.namespace, here.child('namespace')),
    ...requiredText(service.name, here.child('name')),
    ...portNumber(service.port, here.child('port')),
    ...(insecureSkipTLSVerify && caBundle
      ? [invalidValue(at.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present')]
      : []),
  ];
}

function validate({ metadata, spec = {} }: ApiService): FieldError[] {
  const { group = '', version = '' } = spec;
  const wanted = `${version}.${group}`;
  return [
    ...(['name', 'generateName'] as const).flatMap((field) =>
      !metadata[field] || metadata[field] === wanted
        ? []
        : [
            invalidValue(
              `metadata.${field}`,
              metadata[field],
              `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`,
            ),
          ],
    ),
    ...(group
      ? dnsSubdomain(group).map((problem) => invalidValue(at.child('group'), group, problem))
      : version === 'v1'
        ? []
        : [required(at.child('group'), 'only v1 may have an empty group and it better be legacy kube')]),
    ...dns1035Label(version).map((problem) => invalidValue(at.child('version'), version, problem)),
    ...within(spec.groupPriorityMinimum, highestGroupPriority, at.child('groupPriorityMinimum')),
    ...within(spec.versionPriority, highestVersionPriority, at.child('versionPriority')),
    ...validateBackend(spec),
    ...(spec.service && group === '' ? [forbiddenField(at.child('service'), 'the core group is served here')] : []),
  ];
}

const validateStatus = ({ status }: ApiService): FieldError[] =>
  eachOf(status?.conditions, FieldPath.of('status', 'conditions'), ({ status: state = '' }, here) =>
    oneOf(state, ['False', 'True', 'Unknown'], here.child('status')),
  );

/** What the condition says of a group that this server serves itself. */
export const localVerdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };

/** The status of a group that the server serves itself. `now` in milliseconds. */
export const availableLocally = (now: number) => ({
  conditions: [{ type: available, lastTransitionTime: formatTime(now), ...localVerdict }],
});

function availability({ status }: ApiService): string {
  const condition = status?.conditions?.find(({ type }) => type === available);
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`;
}

export const apiService = defineKind<ApiService>({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  resource: 'apiservices',
  bareFinalizers: true,
  nameRule: pathSegmentName,
  unconditionalUpdate: false,
  default(object) {
    object.spec ??= {};
    object.status ??= {};
    if (object.spec.service) object.spec.service.port ??= 443;
  },
  prepareCreate(object, { clock }) {
    object.status = object.spec?.service ? {} : availableLocally(clock.now());
  },
  validate,
  subresources: { status: checkedStatus<ApiService>(validateStatus, 'metadata') },
  table: {
    columns: [nameColumn, column('Service'), column('Available'), ageColumn],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.service ? `${object.spec.service.namespace}/${object.spec.service.name}` : 'Local',
      availability(object),
      age(object, now),
    ],
  },
});
