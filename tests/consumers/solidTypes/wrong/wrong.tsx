import 'rigcast/element/solid';
export const wrong = <rigcast-viewer loop="forever" />;
