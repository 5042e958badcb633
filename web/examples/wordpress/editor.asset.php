<?php

return ['dependencies' => ['wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n'], 'version' => '0.1.0'];
