import 'rigcast/element';
