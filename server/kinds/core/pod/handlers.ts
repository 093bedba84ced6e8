import { type FieldError, forbiddenField, invalidValue, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { httpHeaderName, portName } from '../../../base/names.ts';
import { nonNegative, oneOf, portNumber, requiredText } from '../../field-rules.ts';
import type { Container, Handler, Probe } from './shape.ts';

/** How a container is asked for its health, and what is done when it starts and ends. */

export const validateProbes = (container: Container, at: FieldPath): FieldError[] => [
  ...validateProbe(container.livenessProbe, at.child('livenessProbe')),
  ...onlyOneSuccess(container.livenessProbe, at.child('livenessProbe')),
  ...validateProbe(container.readinessProbe, at.child('readinessProbe')),
  ...(container.readinessProbe?.terminationGracePeriodSeconds !== undefined
    ? [
        invalidValue(
          at.child('readinessProbe').child('terminationGracePeriodSeconds'),
          container.readinessProbe.terminationGracePeriodSeconds,
          'must not be set for readinessProbes',
        ),
      ]
    : []),
  ...validateProbe(container.startupProbe, at.child('startupProbe')),
  ...onlyOneSuccess(container.startupProbe, at.child('startupProbe')),
];

const onlyOneSuccess = (probe: Probe | undefined, at: FieldPath): FieldError[] =>
  probe?.successThreshold !== undefined && probe.successThreshold !== 1
    ? [invalidValue(at.child('successThreshold'), probe.successThreshold, 'must be 1')]
    : [];

function validateProbe(probe: Probe | undefined, at: FieldPath): FieldError[] {
  if (!probe) return [];
  const grace = probe.terminationGracePeriodSeconds;
  return [
    ...validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], at),
    ...nonNegative(probe.initialDelaySeconds, at.child('initialDelaySeconds')),
    ...nonNegative(probe.timeoutSeconds, at.child('timeoutSeconds')),
    ...nonNegative(probe.periodSeconds, at.child('periodSeconds')),
    ...nonNegative(probe.successThreshold, at.child('successThreshold')),
    ...nonNegative(probe.failureThreshold, at.child('failureThreshold')),
    ...(grace !== undefined && grace <= 0
      ? [invalidValue(at.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0')]
      : []),
  ];
}

export const validateLifecycle = (container: Container, at: FieldPath): FieldError[] =>
  (['postStart', 'preStop'] as const).flatMap((hook) => {
    const handler = container.lifecycle?.[hook];
    return handler ? validateHandler(handler, ['exec', 'httpGet', 'tcpSocket'], at.child('lifecycle').child(hook)) : [];
  });

type HandlerKind = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc';

const handlerChecks: Record<HandlerKind, (handler: Handler, at: FieldPath) => FieldError[]> = {
  exec: ({ exec }, at) => (exec?.command?.length ? [] : [required(at.child('command'))]),
  httpGet: ({ httpGet = {} }, at) => [
    ...requiredText(httpGet.path, at.child('path')),
    ...portOrName(httpGet.port, at.child('port')),
    ...(httpGet.scheme ? oneOf(httpGet.scheme, ['HTTP', 'HTTPS'], at.child('scheme')) : []),
    ...(httpGet.httpHeaders ?? []).flatMap(({ name = '' }) =>
      httpHeaderName(name).map((problem) => invalidValue(at.child('httpHeaders'), name, problem)),
    ),
  ],
  tcpSocket: ({ tcpSocket = {} }, at) => portOrName(tcpSocket.port, at.child('port')),
  grpc: ({ grpc = {} }, at) => portNumber(grpc.port ?? 0, at.child('port')),
};

function validateHandler(handler: Handler, kinds: readonly HandlerKind[], at: FieldPath): FieldError[] {
  const given = kinds.filter((kind) => handler[kind]);
  if (given.length === 0) return [required(at, 'must specify a handler type')];
  return given.flatMap((kind, position) =>
    position > 0
      ? [forbiddenField(at.child(kind), 'may not specify more than 1 handler type')]
      : handlerChecks[kind](handler, at.child(kind)),
  );
}

/** A port by number, or by the name that a container gives it. */
export const portOrName = (port: number | string | undefined, at: FieldPath): FieldError[] =>
  typeof port === 'string'
    ? portName(port).map((problem) => invalidValue(at, port, problem))
    : portNumber(port ?? 0, at);
