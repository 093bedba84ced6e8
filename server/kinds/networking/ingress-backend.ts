import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { dns1035Label, portName, portNumber } from '../../base/names.ts';
import { requiredName } from '../field-rules.ts';
import { type TypedReference, validateTypedReference } from './typed-reference.ts';

export interface IngressBackend {
  service?: { name?: string; port?: { name?: string; number?: number } };
  resource?: TypedReference;
}

/** A port without name and number is written as an empty one. In place. */
export function defaultBackend({ service }: IngressBackend): void {
  if (!service) return;
  service.port ??= {};
  if (!service.port.name) delete service.port.name;
  if (!service.port.number) delete service.port.number;
}

export function validateBackend(backend: IngressBackend | undefined, at: FieldPath): readonly FieldError[] {
  const { service, resource } = backend ?? {};
  if (service && resource) return [invalidValue(at, '', 'only one of service and resource may be set')];
  if (resource) return validateTypedReference(resource, at.child('resource'));
  if (service) return validateService(service, at);
  return [invalidValue(at, '', 'a service or a resource is required')];
}

function validateService({ name, port }: NonNullable<IngressBackend['service']>, at: FieldPath): FieldError[] {
  const here = at.child('service');
  return [...requiredName(name, dns1035Label, here.child('name')), ...validatePort(port ?? {}, here.child('port'), at)];
}

/** Errors about name and number together are told of the whole backend. */
function validatePort(port: { name?: string; number?: number }, at: FieldPath, backend: FieldPath): FieldError[] {
  const { name = '', number = 0 } = port;
  if (name && number) return [invalidValue(backend, '', 'only one of port name and port number may be set')];
  if (name) return portName(name).map((problem) => invalidValue(at.child('name'), name, problem));
  if (number) return portNumber(number).map((problem) => invalidValue(at.child('number'), number, problem));
  return [required(backend, 'a port name or a port number is required')];
}
