import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { dnsLabel, domainPrefixedPath } from '../../base/names.ts';
import { immutable, oneOf } from '../field-rules.ts';
import { specChanged } from '../same-value.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import { type TypedReference, validateTypedReference } from './typed-reference.ts';

interface Parameters extends TypedReference {
  scope?: string;
  namespace?: string;
}

interface IngressClass extends KubeObject {
  spec?: { controller?: string; parameters?: Parameters };
}

const maxController = 250;
const controllerAt = FieldPath.of('spec', 'controller');
const parametersAt = FieldPath.of('spec', 'parameters');

const validate = ({ spec: { controller = '', parameters } = {} }: IngressClass): FieldError[] => [
  ...(Buffer.byteLength(controller) > maxController ? [tooLong(controllerAt, maxController)] : []),
  ...(controller
    ? domainPrefixedPath(controller).map((problem) => invalidValue(controllerAt, controller, problem))
    : [required(controllerAt)]),
  ...(parameters ? validateParameters(parameters) : []),
];

function validateParameters(parameters: Parameters): FieldError[] {
  const { scope, namespace } = parameters;
  return [
    ...validateTypedReference(parameters, parametersAt),
    ...oneOf(scope, ['Cluster', 'Namespace'], parametersAt.child('scope')),
    ...(scope === 'Namespace' ? namespaceNamed(namespace) : []),
    ...(scope === 'Cluster' && namespace !== undefined
      ? [forbiddenField(parametersAt.child('namespace'), 'parameters of scope Cluster have no namespace')]
      : []),
  ];
}

function namespaceNamed(namespace: string | undefined): FieldError[] {
  const at = parametersAt.child('namespace');
  if (namespace === undefined) return [required(at, 'parameters of scope Namespace need a namespace')];
  return dnsLabel(namespace).map((problem) => invalidValue(at, namespace, problem));
}

function parametersCell(parameters: Parameters | undefined): string {
  if (!parameters) return '<none>';
  const { apiGroup, kind = '', name = '' } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

export const ingressClass = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  resource: 'ingressclasses',
  generationRises: specChanged,
  default: (object) => {
    object.spec ??= {};
    if (object.spec.parameters) object.spec.parameters.scope ??= 'Cluster';
  },
  validate,
  validateUpdate: (next, previous) => immutable(next.spec?.controller, previous.spec?.controller, controllerAt),
  table: {
    columns: [
      nameColumn,
      column('Controller', 'Who serves ingresses of the class.'),
      column('Parameters', 'The object with its further settings.'),
      ageColumn,
    ],
    cells: (object, now) => [
      object.metadata.name,
      object.spec?.controller ?? '',
      parametersCell(object.spec?.parameters),
      age(object, now),
    ],
  },
});
