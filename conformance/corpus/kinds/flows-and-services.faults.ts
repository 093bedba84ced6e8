import { slip } from '../fault.ts';

const flowSchema = 'kinds/flowcontrol/flow-schema.ts';
const priorityLevel = 'kinds/flowcontrol/priority-level-configuration.ts';
const apiService = 'kinds/apiregistration/api-service.ts';

/** Who is let in before whom, and who serves what. */
export default [
  slip(
    'a priority level that rejects may have queues',
    ['component'],
    priorityLevel,
    "...(answer === 'Reject' && queuing",
    "...(answer === 'Other' && queuing",
  ),
  slip(
    'a hand of a priority level may be larger than all of its queues',
    ['component'],
    priorityLevel,
    'else if (handSize > queues)',
    'else if (handSize > mostQueues)',
  ),
  slip(
    'a hand of a priority level may be of any number of bits',
    ['component'],
    priorityLevel,
    'else if (handSize * Math.log2(Math.max(queues, 2)) > hashBits)',
    'else if (handSize > mostQueues)',
  ),
  slip(
    'a flow schema may name a user and a group as one subject',
    ['component'],
    flowSchema,
    '.filter((other) => other !== field && subject[other])',
    '.filter((other) => other === kind && subject[other])',
  ),
  slip(
    'a path of a flow schema may have a star in its midst',
    ['component'],
    flowSchema,
    '/^\\/(?:[^* /]+\\/)*(?:[^* /]+|\\*)?$/.test(path)',
    '/^\\/(?:[^ /]+\\/)*(?:[^* /]+|\\*)?$/.test(path)',
  ),
  slip(
    'another level of a flow schema is no new generation',
    ['component'],
    flowSchema,
    'generationRises: specChanged,',
    'generationRises: (next, previous) => next.spec?.matchingPrecedence !== previous.spec?.matchingPrecedence,',
  ),
  slip(
    'an APIService may trust everybody and a bundle of authorities at once',
    ['component'],
    apiService,
    '...(insecureSkipTLSVerify && caBundle',
    "...(insecureSkipTLSVerify && caBundle === 'none'",
  ),
  slip(
    'the priorities of an APIService know no bounds',
    ['component'],
    apiService,
    'value !== undefined && value >= 1 && value <= most',
    'value !== undefined && value >= 1 && most > 0',
  ),
  slip(
    'an APIService may be of another version than its name says',
    ['component'],
    apiService,
    'const wanted = `${version}.${group}`;',
    'const wanted = metadata.name?.endsWith(`.${group}`) ? metadata.name : `${version}.${group}`;',
  ),
  slip(
    'the flow schema of what is left over may become any other',
    ['component'],
    'kinds/flowcontrol/flow-schema.ts',
    "...fixedSpec(object, 'flowschemas'),",
    '',
  ),
  slip(
    'the priority level of what is left over may become any other',
    ['component'],
    'kinds/flowcontrol/priority-level-configuration.ts',
    "[...validate(level), ...fixedSpec(level, 'prioritylevelconfigurations')]",
    'validate(level)',
  ),
  slip(
    'flows are told apart by their users alone',
    ['component'],
    'kinds/flowcontrol/flow-schema.ts',
    "['ByNamespace', 'ByUser']",
    "['ByUser']",
  ),
  slip(
    'flows do not know deletes of collections',
    ['component'],
    'kinds/flowcontrol/flow-schema.ts',
    "'delete', 'deletecollection', 'proxy'",
    "'delete', 'proxy'",
  ),
];
